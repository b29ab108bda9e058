SELECT input_hash, answer FROM registry_answer WHERE kind = $1 AND key = $2
