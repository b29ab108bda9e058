-- What a person sent for approval is read newest first.
CREATE INDEX decision_sent ON decision (decided_by, id) WHERE needs_approval = 1;
