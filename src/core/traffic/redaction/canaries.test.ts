// @module-tag slow
/**
 * A unique canary for every class, place and encoding: none may survive in anything that writes an exchange, however
 * the output is decoded.
 */
import { expect, test } from 'vitest'
import { redactor } from '../../../../test/support/redactor.ts'
import { sampleExchange, sampleHeader, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import {
  canaryKinds,
  canaryEncodings,
  archiveEntryWithCanaries,
  exchangeWithCanaries,
  decodeAll,
} from '../../../../test/support/canaries.ts'
import { createExchangeFormatter } from '../recording/recording-lines.ts'
import { createSalt } from '../recording/line-ids.ts'
import { redactExchange } from './exchange.ts'
import { redactHarEntry, redactHarLog } from './har-entry.ts'

const header = sampleHeader(
  { name: 'canaries', redaction: { policy: 'default-1', keyId: 'x', mode: 'pseudonym' } },
  createSalt(new Uint8Array(9)),
)
const lineFor = createExchangeFormatter({ header, t0: sampleT0, redactor })

const cells = canaryKinds.flatMap((kind) =>
  Object.keys(canaryEncodings).map((encoding) => [kind.name, encoding, kind] as const),
)

/** The places of the canaries that survive in the outputs. */
function survivors(
  traces: ReadonlyMap<string, string>,
  outputs: readonly string[],
): readonly string[] {
  const text = outputs.map(decodeAll).join('\n')
  return [...traces].filter(([trace]) => text.includes(trace)).map(([, place]) => place)
}

test.each(cells)(
  '%s, %s: no canary survives in a recording, a HAR entry or an exchange',
  (_, encoding, kind) => {
    const planted = exchangeWithCanaries(sampleExchange(1), kind, encoding)
    const foreign = archiveEntryWithCanaries(kind, encoding)
    // The search finds the planted canaries.
    expect(survivors(planted.traces, [JSON.stringify(planted.value)])).toHaveLength(
      planted.traces.size,
    )
    expect(survivors(foreign.traces, [JSON.stringify(foreign.value)])).toHaveLength(
      foreign.traces.size,
    )
    const { entry, log } = foreign.value
    const outputs = [
      lineFor(planted.value),
      JSON.stringify(redactExchange(planted.value, redactor)),
      JSON.stringify(redactHarEntry(entry, redactor)),
      JSON.stringify(redactHarLog(log, redactor)),
    ]
    expect(survivors(new Map([...planted.traces, ...foreign.traces]), outputs)).toEqual([])
  },
)
