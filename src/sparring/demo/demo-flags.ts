/** The flags of `sparring demo`: those of `up`, and those of the service beside it. */
import { sessionOnlyFlags, sessionOnlyGroups } from '../up/up-flags.ts'
import type { FlagGroups, FlagRow, OptionsOf } from '../../terminal/cli/verb.ts'

const positive = { min: 1, max: 2 ** 31 }

const serviceFlags = [
  {
    name: 'defect',
    value: '<name>',
    summary: 'defect of the service (sparring list defects); repeatable',
    many: true,
  },
  {
    name: 'orders',
    value: '<n>',
    summary:
      'number of orders; the demo of a software-service ends after them, with 1 when a rule failed; 0: an ordering-application places only those that it is asked for (default: one every 3s, without end)',
    number: { min: 0, max: 1000 },
  },
  {
    name: 'service',
    summary: 'start the service alone, as a command for run --start and minimise --start',
  },
  {
    name: 'service-port',
    value: '<n>',
    summary: 'port of the service on 127.0.0.1 (default: PORT with --service, else a free one)',
    number: { min: 0, max: 65_535 },
  },
  {
    name: 'ordering-application-url',
    value: '<url>',
    summary: 'with --service: URL of its partner',
  },
  { name: 'software-service-url', value: '<url>', summary: 'with --service: URL of its partner' },
  {
    name: 'delivery-platform-url',
    value: '<url>',
    summary: 'with --service: URL of the platform that it asks to deliver DELIVERY orders',
  },
  {
    name: 'poll',
    value: '<ms>',
    summary: 'pause between two polls of the service (default: 600; 1000 with --service)',
    number: positive,
  },
  {
    name: 'think',
    value: '<ms>',
    summary:
      'approximate time that the service takes for a step of an order (default: 150; 500 with --service)',
    number: positive,
  },
  {
    name: 'reconcile',
    value: '<ms>',
    summary: 'time without news after which the service reads an open order again (default: 15000)',
    number: positive,
  },
  {
    name: 'memory',
    path: 'write',
    value: '<file>',
    summary:
      'file in which the service keeps its orders (default: one in SPARRING_FOLDER with --service, where --start sets that; else none)',
  },
  { name: 'client-id', value: '<id>', summary: 'client id of the service (default: subject)' },
  {
    name: 'client-secret',
    value: '<secret>',
    summary: 'client secret of the service (default: secret)',
  },
] as const satisfies readonly FlagRow[]

export const demoFlags = [...sessionOnlyFlags, ...serviceFlags] as const

/** Groups of the flags in help. */
export const demoGroups = {
  'Demo service': [
    'defect',
    'orders',
    'service',
    'service-port',
    'ordering-application-url',
    'software-service-url',
    'delivery-platform-url',
    'poll',
    'think',
    'reconcile',
    'memory',
    'client-id',
    'client-secret',
  ],
  ...sessionOnlyGroups,
} as const satisfies FlagGroups<(typeof demoFlags)[number]['name']>

export type DemoOptions = OptionsOf<[], typeof demoFlags>
