-- Keeps the first 64 characters of a longer word. PL/pgSQL plans the query once per session.
create or replace function provenance.title_words(p_title text) returns text[]
language plpgsql immutable as $$
begin
  return array(
    select distinct left(words.word, 64)
    from regexp_split_to_table(provenance.folded(p_title),
      '[\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+') as words(word)
    where words.word <> '');
end
$$;
