-- ai_of_disclosure() lists the levels. An AI that only refers to content, or checks it, did not generate this content.
create or replace function provenance.ai_of_action(p_body jsonb, p_is_ai boolean) returns int
language sql immutable as $$
  select greatest(
    case
      when not p_is_ai and p_body->>'type' <> 'generate' then
        case when p_body ? 'aiTool' or p_body->'extensions' @? '$.keyvalue().key ? (@ starts with "ext:ai@")'
          then 2 else 0 end
      when p_body->>'type' in ('reference', 'verify') then 2
      else 3 end,
    provenance.ai_of_disclosure(p_body->'extensions'->'ext:mark@1.0.0'))
$$;
