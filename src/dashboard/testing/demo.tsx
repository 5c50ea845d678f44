/**
 * The dashboard on the terminal of this process, with the test session behind it: what the pseudo-terminal tests start.
 * `--orders <n>` begins with so many orders, `--flood` keeps exchanges coming.
 */
import { openTerminal } from '../../edge/terminal.ts'
import { appearanceOf } from '../appearance.ts'
import { farewell } from '../farewell.ts'
import { showDashboard } from '../show.tsx'
import { createFakeFace } from './face.ts'

const options = process.argv.slice(2)
const numberAfter = (name: string): number => Number(options[options.indexOf(name) + 1] ?? 0)

const face = createFakeFace({ recording: { file: 'recordings/demo.rec.ndjson', written: 0 } })
if (options.includes('--orders'))
  for (let count = numberAfter('--orders'); count > 0; count--) await face.createOrder({})
const clock = setInterval(() => face.pass(50), 50)
const flood = options.includes('--flood') ? setInterval(() => face.poll(), 1) : undefined

const interruption = new AbortController()
const terminal = openTerminal({ onSignal: () => interruption.abort() })
const reason = await showDashboard({
  face,
  terminal,
  appearance: appearanceOf(process.env),
  signal: interruption.signal,
})
await terminal.close()
clearInterval(clock)
clearInterval(flood)
const { info } = await face.look({})
for (const line of farewell(info)) process.stdout.write(`${line}\n`)
process.stdout.write(`closed: ${reason}\n`)
process.stdin.pause()
