SELECT metadata FROM intent_metadata WHERE intent_id = $1
