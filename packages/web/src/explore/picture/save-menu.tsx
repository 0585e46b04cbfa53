import { type Bundle, toProvJson } from '@colophon/model';
import { useState } from 'react';
import { saveFile } from '../../shell/save-file.js';
import { explore } from '../../strings/explore.js';
import { Button } from '../../ui/button.js';
import { Menu } from '../../ui/menu.js';
import type { Showing } from '../draw/draw-scene.js';
import { readPalette } from '../draw/palette.js';
import { toDataUrl, toPng } from '../export/to-png.js';
import { toSvg } from '../export/to-svg.js';
import type { Thumbnails } from './thumbnails.js';

const texts = explore.save;

export function SaveMenu({
  bundle,
  showing,
  thumbnails,
}: {
  bundle: Bundle;
  showing: Pick<Showing, 'scene' | 'marks'>;
  thumbnails: Thumbnails | undefined;
}) {
  const [fault, setFault] = useState('');
  const name = `history-${bundle.cid.slice(-12)}`;
  const whole = () => ({
    ...showing,
    palette: readPalette(document.body),
    thumbnailOf: (index: number) => {
      const node = showing.scene.history.nodes[index];
      return node && thumbnails?.known(node);
    },
  });
  const saveSvg = () => {
    const text = toSvg(whole(), { title: `${explore.picture.label}: ${bundle.cid}`, toDataUrl });
    saveFile(new Blob([text], { type: 'image/svg+xml' }), `${name}.svg`);
  };
  const savePng = async () => {
    const png = await toPng(whole());
    setFault(png === undefined ? texts.tooLarge : '');
    if (png !== undefined) saveFile(png, `${name}.png`);
  };
  const saveProv = () => {
    const text = JSON.stringify(toProvJson(bundle), null, 2);
    saveFile(new Blob([text], { type: 'application/prov+json' }), `${name}.prov.json`);
  };
  return (
    <Menu label={texts.title}>
      <Button onClick={savePng}>{texts.png}</Button>
      <Button onClick={saveSvg}>{texts.svg}</Button>
      <Button onClick={saveProv}>{texts.prov}</Button>
      <span role="status" className="fault">
        {fault}
      </span>
    </Menu>
  );
}
