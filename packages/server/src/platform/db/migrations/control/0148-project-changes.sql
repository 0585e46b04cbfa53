-- The projects of the newest changes that `change_count` counts, so that a node clears only what it cached of them. A
-- change without a row, such as one by a node of an earlier version, may concern any project.
create table control.project_change (
  -- The value of `change_count` after the change.
  number      bigint primary key,
  project_ids uuid[] not null
);
