/**
 * A process that records exchanges full of canaries until it is killed; writes the identifying part of each to stdout
 * before it is recorded.
 */
import process from 'node:process'
import { createRecorder } from '../../src/core/runtime/recording/recorder.ts'
import { redactionKeyFrom } from '../../src/core/runtime/recording/redaction-key.ts'
import { canaryKinds, canaryEncodings, exchangeWithCanaries } from './canaries.ts'
import { sampleExchange, sampleInfo, sampleT0 } from './sample-exchange.ts'
import { writeLine } from './write-line.ts'

const [, , file = ''] = process.argv
const recorder = createRecorder({
  file,
  t0: sampleT0,
  redact: true,
  key: redactionKeyFrom(Buffer.alloc(32, 7)),
  info: { ...sampleInfo, name: 'killed' },
})
if (!recorder.ok) throw new Error(recorder.error)
const recording = recorder.value

const cells = canaryKinds.flatMap((kind) =>
  Object.keys(canaryEncodings).map((encoding) => ({ kind, encoding })),
)
let seq = 0
setInterval(() => {
  for (let some = 0; some < 5; some++) {
    const cell = cells[seq % cells.length]
    if (!cell) return
    const { value, traces } = exchangeWithCanaries(sampleExchange(++seq), cell.kind, cell.encoding)
    writeLine([...traces.keys()].join('\t'))
    recording.record(value)
  }
}, 4)
