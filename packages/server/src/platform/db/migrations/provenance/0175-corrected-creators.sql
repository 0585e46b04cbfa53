-- The last correction of the action that made a content, and its performer, which the library shows as the creator. The
-- performer is empty if the correction only refers to the content. Both columns are null without a correction. A
-- correction changes no owner, so created_by stays.
alter table provenance.resource add column corrected_in uuid, add column corrected_creator text;
