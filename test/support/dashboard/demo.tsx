/**
 * Runs the dashboard with the fake session on the terminal of this process, for the pseudo-terminal tests. `--orders
 * <n>` creates n orders first, `--flood` adds exchanges continuously, `--measure` prints the longest event-loop delay,
 * SIGUSR2 throws an uncaught exception.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openTerminal } from '../../../src/core/runtime/terminal.ts'
import { appearanceOf } from '../../../src/terminal/dashboard/view/appearance.ts'
import {
  exitSummaryLines,
  exitSummaryView,
} from '../../../src/terminal/dashboard/view/exit-summary.ts'
import { showDashboard } from '../../../src/terminal/dashboard/runtime/show.tsx'
import { createFakeSession } from './fake-session.ts'

const options = process.argv.slice(2)
const numberAfter = (name: string): number => Number(options[options.indexOf(name) + 1] ?? 0)

const session = createFakeSession({ recording: { file: 'recordings/demo.rec.ndjson', written: 0 } })
if (options.includes('--orders'))
  for (let count = numberAfter('--orders'); count > 0; count--) await session.createOrder({})
const clock = setInterval(() => session.pass(50), 50)
const flood = options.includes('--flood') ? setInterval(() => session.poll(), 1) : undefined
process.once('SIGUSR2', () => {
  throw new Error('a mistake somewhere else')
})

const interruption = new AbortController()
const terminal = openTerminal({
  onSignal: () => interruption.abort(),
  mouse: !options.includes('--no-mouse'),
})
const loopDelay = monitorEventLoopDelay({ resolution: 10 })
// Loading and the first frame are not measured.
setTimeout(() => loopDelay.enable(), 500).unref()
const reason = await showDashboard({
  session,
  terminal,
  appearance: appearanceOf(process.env),
  signal: interruption.signal,
})
await terminal.close()
clearInterval(clock)
clearInterval(flood)
loopDelay.disable()
for (const line of exitSummaryLines(await session.look(exitSummaryView)))
  process.stdout.write(`${line}\n`)
process.stdout.write(`closed: ${reason}\n`)
if (options.includes('--measure'))
  process.stdout.write(`longest pause ${Math.round(loopDelay.max / 1e6)} ms\n`)
process.stdin.pause()
