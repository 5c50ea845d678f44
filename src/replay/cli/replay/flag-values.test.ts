/** A flag that does not apply to a driver is rejected, with the drivers that it applies to. */
import { expect, test } from 'vitest'
import type { DriverName } from '../../../core/traffic/recording/replay-report.ts'
import type { ReplayFlags } from './flags.ts'
import { rejectForeignFlags } from './flag-values.ts'

const rejected: readonly (readonly [DriverName, Partial<ReplayFlags>, string])[] = [
  [
    'client',
    { until: 'all' },
    'reading --until: it is for --driver server, and here what was recorded',
  ],
  ['client', { idle: '30s' }, 'say --driver server'],
  ['client', { subject: 'http://127.0.0.1:1' }, 'reading --subject'],
  ['server', { 'call-timeout': '5s' }, 'say --driver client'],
  [
    'server',
    { twice: true },
    'it is for --driver client or --driver partner, and here your service calls',
  ],
  [
    'partner',
    { 'on-miss': '404' },
    'it is for --driver client or --driver server, and here the partner',
  ],
  ['partner', { until: 'all' }, 'say --driver server'],
]

test.each(rejected)('driver %s rejects %j', (driver, flags, sentence) => {
  expect(() => rejectForeignFlags({ recording: 'a', ...flags }, driver)).toThrow(sentence)
})

test.each(['client', 'server', 'partner'] as const)(
  'flags for every driver are accepted by %s',
  (driver) => {
    const flags = {
      recording: 'a',
      to: 'http://127.0.0.1:1',
      speed: 'asap',
      seed: 1,
      json: true,
    } as const
    expect(() => rejectForeignFlags(flags, driver)).not.toThrow()
  },
)
