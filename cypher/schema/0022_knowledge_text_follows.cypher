// The full text of knowledge is written behind a commit, not within it; who searches it waits until it has caught up.
//
// down: Each report waits for the full text again.
//= up
DROP INDEX knowledge_text IF EXISTS;
CREATE FULLTEXT INDEX knowledge_text IF NOT EXISTS
FOR (n:MemoryPattern|LearnedInsight|Tool) ON EACH [n.words, n.scope_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
//= down
//| DROP INDEX knowledge_text IF EXISTS;
//| CREATE FULLTEXT INDEX knowledge_text IF NOT EXISTS
//| FOR (n:MemoryPattern|LearnedInsight|Tool) ON EACH [n.words, n.scope_key]
//| OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
//=
