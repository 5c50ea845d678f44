/**
 * A process that records under load until it is killed. Writes `{seq}` and the wall-clock time of each exchange to
 * stdout,
 * unbuffered. Arguments: file or folder, and segment size in bytes.
 */
import { writeSync } from 'node:fs'
import process from 'node:process'
import { createRecorder } from '../../src/edge/recording/recorder.ts'
import { redactionKeyFrom } from '../../src/edge/recording/redaction-key.ts'
import { sampleExchange, sampleT0 } from './sample-exchange.ts'

const [, , file = '', segmentBytes] = process.argv
const recorder = createRecorder({
  file,
  t0: sampleT0,
  redact: true,
  // Small segments, so that one is always being closed or compressed.
  ...(segmentBytes === undefined
    ? {}
    : { segments: { bytes: Number(segmentBytes), frame: 16_384 } }),
  key: redactionKeyFrom(Buffer.alloc(32, 7)),
  info: {
    name: 'killed',
    tool: 'sparring/0',
    protocol: { name: 'protocol', version: 'v2' },
    parties: [],
  },
})
if (!recorder.ok) throw new Error(recorder.error)
const { record } = recorder.value

let seq = 0
setInterval(() => {
  for (let some = 0; some < 20; some++) record(sampleExchange(++seq))
  writeSync(1, `${seq} ${Date.now()}\n`)
}, 4)
