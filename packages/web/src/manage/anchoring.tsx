import type { Network } from '@colophon/model';
import { createClient } from '@colophon/sdk';
import { useCallback, useState } from 'react';
import { useLoaded } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { CopyText } from '../ui/copy-text.js';
import { Notice } from '../ui/notice.js';
import { Check, Form, Show } from './parts.js';
import type { InProject } from './project-page.js';

const { anchoring: texts } = manage;

export function Anchoring({ page, project, role, reload }: InProject) {
  const load = useCallback(() => page.management.account.network(), [page]);
  const [isOn, setIsOn] = useState(project.anchoring);
  const [isSaved, setIsSaved] = useState(false);
  const save = async () => {
    setIsSaved(false);
    await page.management.projects.update(project.id, { anchoring: isOn });
    setIsSaved(true);
    reload();
  };
  return (
    <div className="stack">
      <p>{texts.what}</p>
      <Show loaded={useLoaded(load)}>{(network) => <Chain network={network} />}</Show>
      {role === 'viewer' ? null : (
        <section className="card narrow">
          <Form submit={texts.save} onSubmit={save}>
            <Check label={texts.on} isOn={isOn} onChange={setIsOn} />
          </Form>
          <div role="status">{isSaved ? <Notice kind="good" title={texts.saved} /> : null}</div>
        </section>
      )}
    </div>
  );
}

function Chain({ network }: { network: Network }) {
  const state = useLoaded(readAnchoringState);
  if (!network.configured) return <Notice kind="info" title={texts.noChain} />;
  const { chainName, chainId, contractAddress, explorerUrl, isTestnet } = network;
  return (
    <section className="card">
      {isTestnet ? <Notice kind="warning" title={texts.testnet} /> : null}
      <dl className="facts">
        <dt>{texts.chain}</dt>
        <dd>
          {chainName} ({chainId})
        </dd>
        <dt>{texts.contract}</dt>
        <dd>
          <CopyText text={contractAddress} label={texts.contract} />
          {explorerUrl === null ? null : (
            <a href={`${explorerUrl.replace(/\/+$/, '')}/address/${contractAddress}`} rel="noreferrer">
              {texts.explorer}
            </a>
          )}
        </dd>
        <dt>{texts.service}</dt>
        <dd>
          <Show loaded={state}>{(said) => said}</Show>
        </dd>
      </dl>
    </section>
  );
}

async function readAnchoringState(): Promise<string> {
  const { checks } = await createClient({ url: window.location.origin }).service.readiness();
  return checks.anchoring ?? texts.noChain;
}
