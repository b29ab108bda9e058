SELECT id FROM review_case WHERE public_id = $1
