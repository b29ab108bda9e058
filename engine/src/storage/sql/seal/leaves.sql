SELECT leaves FROM leaf_batch WHERE id = $1
