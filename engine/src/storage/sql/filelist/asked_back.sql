SELECT subject FROM audit_record WHERE action = 'file.take_back_ask' ORDER BY at DESC, id DESC LIMIT 100
