-- From when on more payments carry a reference than it can name one of is read off the index.
CREATE INDEX intent_reference_created ON intent (merchant_reference, created_at) WHERE merchant_reference <> '';
DROP INDEX intent_reference;
