-- The journal: what was decided, in the order it was decided, each entry bound
-- to the one before it. docs/journal.md specifies the bytes.
--
-- Nothing here calls a function that the sqlite3 shell 3.40 lacks, so that the
-- triggers hold, and the file can be read, wherever it is opened.

-- "pgat": tells a journal from any other SQLite file.
PRAGMA application_id = 0x70676174;

-- pub is the public part, one JSON object kept to the byte; body is the private
-- one, which commitment binds together with salt and which may be erased. There
-- are no columns for the fields of pub: the views below read them out of the
-- hashed bytes, so they cannot say anything else, and an entry that is appended
-- pays for none of them.
CREATE TABLE entry (
  seq        INTEGER PRIMARY KEY,
  version    INTEGER NOT NULL,
  prev       BLOB NOT NULL CHECK (length(prev) = 32),
  hash       BLOB NOT NULL CHECK (length(hash) = 32),
  commitment BLOB CHECK (length(commitment) = 32),
  pub        TEXT NOT NULL CHECK (pub GLOB '{"kind":"[a-z]*","time":[1-9]*}'),
  salt       BLOB CHECK (length(salt) = 16),
  body       TEXT
) STRICT;

-- Only few entries are in an index, and none of a decision.
CREATE INDEX entry_outcome ON entry (json_extract(pub, '$.of')) WHERE pub GLOB '{"kind":"outcome"*';
CREATE INDEX entry_policy ON entry (json_extract(pub, '$.digest')) WHERE pub GLOB '{"kind":"policy"*';

-- The numbers have no gap, each is given once, and each entry names the hash of
-- the one before it. This also stops INSERT OR REPLACE, which deletes the row it
-- replaces without firing a delete trigger. The first entry of a file is number
-- 1, or continues a sealed file.
CREATE TRIGGER entry_next BEFORE INSERT ON entry
WHEN (NEW.seq, NEW.prev) IS NOT (SELECT seq + 1, hash FROM entry ORDER BY seq DESC LIMIT 1)
  AND (EXISTS (SELECT 1 FROM entry)
    OR NOT (NEW.seq = 1 AND NEW.prev = zeroblob(32) OR NEW.seq > 1 AND NEW.pub GLOB '{"kind":"rotation"*'))
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: not the next entry');
END;

CREATE TRIGGER entry_sealed BEFORE INSERT ON entry
WHEN (SELECT pub FROM entry ORDER BY seq DESC LIMIT 1) GLOB '{"kind":"rotation"*"sealed":true*'
BEGIN
  SELECT RAISE(ABORT, 'the journal is sealed: the next file has the next entry');
END;

-- The one change there is: a private part is erased as a whole.
CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry
WHEN (NEW.seq, NEW.version, NEW.prev, NEW.hash, NEW.commitment, NEW.pub)
  IS NOT (OLD.seq, OLD.version, OLD.prev, OLD.hash, OLD.commitment, OLD.pub)
  OR NEW.salt IS NOT NULL OR NEW.body IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: UPDATE refused');
END;

CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: DELETE refused');
END;

-- What every entry says of itself. time is microseconds since the Unix epoch,
-- UTC.
CREATE VIEW event AS
SELECT
  seq,
  json_extract(pub, '$.time')    AS time,
  json_extract(pub, '$.kind')    AS kind,
  json_extract(pub, '$.session') AS session,
  json_extract(pub, '$.call')    AS call,
  pub, body
FROM entry;

-- The decisions with the fields people filter by.
CREATE VIEW decision AS
SELECT
  seq,
  json_extract(pub, '$.time')     AS time,
  json_extract(pub, '$.session')  AS session,
  json_extract(pub, '$.call')     AS call,
  coalesce(json_extract(body, '$.root'), json_extract(pub, '$.project')) AS project,
  json_extract(pub, '$.tool')     AS tool,
  json_extract(pub, '$.verdict')  AS verdict,
  json_extract(pub, '$.answer')   AS answer,
  json_extract(pub, '$.decision') AS decision,
  json_extract(pub, '$.basis')    AS basis,
  json_extract(body, '$.input')   AS input
FROM entry
WHERE pub GLOB '{"kind":"decision"*';
