/**
 * A process that records under load until it is killed. Writes to stdout, unbuffered, for each few exchanges the last
 * `{seq}`, the wall-clock time, and how many are written to the file. Arguments: file or folder, and segment size in bytes. With BUSY it never returns to the event loop.
 */
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { createRecorder } from '../../src/core/runtime/recording/recorder.ts'
import { redactionKeyFrom } from '../../src/core/runtime/recording/redaction-key.ts'
import { sampleExchange, sampleInfo, sampleT0 } from './sample-exchange.ts'
import { writeLine } from './write-line.ts'

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
  info: { ...sampleInfo, name: 'killed' },
})
if (!recorder.ok) throw new Error(recorder.error)
const recording = recorder.value

let seq = 0
function recordSome(): void {
  for (let some = 0; some < 20; some++) recording.record(sampleExchange(++seq))
  writeLine(`${seq} ${Date.now()} ${recording.stats().written}`)
}

if (process.env['BUSY'] === undefined) setInterval(recordSome, 4)
// The event loop gets no turn.
else
  for (;;) {
    const next = performance.now() + 4
    recordSome()
    while (performance.now() < next);
  }
