/**
 * Styles for the shadow root of the badge. The badge has the colour scheme that the site declares, or else a light one.
 */
export const BADGE_STYLE = `
:host{all:initial;display:inline-block;position:relative;max-width:100%;font:14px/1.45 system-ui,sans-serif;color-scheme:inherit;
--ink:#1c2321;--paper:#fff;--line:#7c857f;--accent:#1f5c51;--focus:#0b57d0}
@supports(color:light-dark(#000,#fff)){:host{--ink:light-dark(#1c2321,#e9edeb);--paper:light-dark(#fff,#1d2324);--line:light-dark(#7c857f,#7f8c88);--accent:light-dark(#1f5c51,#6fcab8);--focus:light-dark(#0b57d0,#a8c7fa)}}
button,.panel{box-sizing:border-box;border:1px solid var(--line);background:var(--paper);color:var(--ink);font:inherit}
button{display:inline-flex;align-items:center;gap:6px;max-width:100%;min-height:28px;margin:4px 0;padding:2px 10px;border-radius:14px;cursor:pointer;text-align:left}
svg:not(.label){flex:none;width:16px;height:16px;fill:var(--accent)}
.label{display:block}rect{fill:#1a1a1a;stroke:#fff;stroke-width:2}text{fill:#fff;font:700 16px Arial,Helvetica,sans-serif;text-anchor:middle}
.panel{position:absolute;z-index:2147483000;left:0;top:100%;width:300px;max-width:90vw;padding:12px 14px;border-radius:10px;box-shadow:0 4px 16px #0004}
.panel[hidden]{display:none}
p{margin:0 0 8px}.main{font-weight:600}.soft{font-size:13px}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:6px}
`;
