-- Returns `{onchain}` of a leaf. The object is empty until a transaction is signed for the anchor of the leaf.
create or replace function provenance.onchain_json(p_project uuid, p_leaf bigint) returns jsonb
language plpgsql stable as $$
begin
  return coalesce((
    select jsonb_build_object('onchain', jsonb_strip_nulls(jsonb_build_object(
      'txHash', a.tx_hash, 'chainId', a.chain_id, 'chainName', a.chain_name, 'contractAddress', a.contract,
      'blockNumber', a.block_number, 'logIndex', a.log_index, 'status', a.state)))
    from provenance.anchor_of(p_project, p_leaf) h join provenance.anchor a on a.id = h.anchor_id
    where a.state <> 'pending'), '{}');
end
$$;
