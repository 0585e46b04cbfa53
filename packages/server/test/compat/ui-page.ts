import {
  ProvenanceBundleView,
  ProvenanceGraph,
  ProvenanceKitProvider,
  ProvenanceTracker,
} from '@provenancekit/ui';
import { createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

/* A page with the UI components of ProvenanceKit. Its address has the service, key, content and session. */
const asked = new URLSearchParams(location.hash.slice(1));
const given = (name: string) => asked.get(name) ?? '';
const section = (id: string, shown: ReactNode) => createElement('section', { id, key: id }, shown);

const children = [
  section('bundle', createElement(ProvenanceBundleView, { cid: given('cid') })),
  section('graph', createElement(ProvenanceGraph, { cid: given('cid'), height: 400 })),
  section('session', createElement(ProvenanceTracker, { sessionId: given('sessionId') })),
];
const page = createElement(ProvenanceKitProvider, {
  apiUrl: given('apiUrl'),
  apiKey: given('apiKey'),
  children,
});
createRoot(document.body.appendChild(document.createElement('main'))).render(page);
