/** `sparring agenda run`, `pause` and `advance`: control of the session's clock. */
import { compact } from '../../compact.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { jsonFlag, noColorFlag, controlFlags } from '../flags.ts'
import { type Io, printJson, printLine } from '../io.ts'
import { clockNames } from '../name-lists.ts'
import { connectToSession } from '../control-client.ts'
import { defineVerb } from '../verb.ts'

const sharedFlags = [jsonFlag, noColorFlag, ...controlFlags] as const

const items = (count: number): string => `${count} ${count === 1 ? 'item' : 'items'}`

/** `until`: where an advance was meant to end. */
async function printClock(
  face: SessionApi,
  json: true | undefined,
  io: Io,
  until = 0,
): Promise<ExitCode> {
  const { clockOf } = await import('../../engine/instant.ts')
  const { agenda, info } = await face.look({ agenda: { limit: 1000, background: false } })
  const { clock } = info
  const held = agenda.filter((row) => row.held).length
  const remaining = Math.max(0, until - clock.now)
  if (json) await printJson(io, until === 0 ? clock : { ...clock, remaining })
  else {
    const speed =
      clock.mode === 'real' && clock.speed !== 1 ? ` at ${clock.speed} times its speed` : ''
    await printLine(
      io.stdout,
      `clock ${clock.mode}${speed}, ${clockOf(clock.now)}, ${items(agenda.length - held)} pending, ${held} held`,
    )
  }
  if (remaining > 0)
    await printLine(
      io.stderr,
      `so much came due that ${remaining / 1000} s are left to pass: advance again`,
    )
  return exitCode.done
}

export const agendaRunVerb = defineVerb({
  name: 'run',
  summary: 'let time pass by itself',
  flags: [
    {
      name: 'clock',
      value: '<mode>',
      summary: 'how (default: real)',
      choices: clockNames,
    },
    {
      name: 'speed',
      value: '<x>',
      summary: 'how fast the real clock runs',
      number: { min: 0.001, max: 1000, fraction: true },
    },
    ...sharedFlags,
  ],
  async run({ clock: mode = 'real', speed, json, ...connection }, io) {
    const face = await connectToSession(connection)
    await face.setClock({ mode, ...compact({ speed }) })
    return printClock(face, json, io)
  },
})

export const agendaPauseVerb = defineVerb({
  name: 'pause',
  summary: 'stop the clock: nothing happens until somebody steps',
  flags: sharedFlags,
  async run({ json, ...connection }, io) {
    const face = await connectToSession(connection)
    await face.setClock({ mode: 'stepped' })
    return printClock(face, json, io)
  },
})

export const agendaAdvanceVerb = defineVerb({
  name: 'advance',
  summary: 'let so much time pass at once, with everything that comes due in it',
  arguments: [{ name: 'duration', summary: 'how much: 250ms, 5s, 2m, 1h', required: true }],
  flags: sharedFlags,
  async run({ duration, json, ...connection }, io) {
    const { parseDurationArgument } = await import('../parse-duration-argument.ts')
    const ms = parseDurationArgument(duration, 'advancing the clock')
    const face = await connectToSession(connection)
    const { info } = await face.look({})
    await face.advance(ms)
    return printClock(face, json, io, info.clock.now + ms)
  },
})
