-- The result does not depend on the locale of the server, so it stays the same after a restore to another server. The
-- migration 0161-library-fill.sql repeats the expression.
create or replace function provenance.folded(p_text text) returns text
language sql immutable as $$
  select translate(lower(regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f]', '', 'g') collate "C"),
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐÆŒÞØøŁłĐđı',
    'αβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґæœþoollddi')
$$;
