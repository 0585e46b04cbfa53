-- `publication_of_content` begins with the same column. A transaction of its own cannot deadlock with a publication that
-- waits for the lock of the new index.
drop index control.publication_live;
