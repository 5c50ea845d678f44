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
      `the limit of one call was reached with ${remaining / 1000} s left: advance again`,
    )
  return exitCode.done
}

export const agendaRunVerb = defineVerb({
  name: 'run',
  summary: 'start the clock',
  flags: [
    {
      name: 'clock',
      value: '<mode>',
      summary: 'clock mode (default: real)',
      choices: clockNames,
    },
    {
      name: 'speed',
      value: '<x>',
      summary: 'speed factor of the real clock',
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
  summary: 'pause the clock: nothing happens until the next step or run',
  flags: sharedFlags,
  async run({ json, ...connection }, io) {
    const face = await connectToSession(connection)
    await face.setClock({ mode: 'stepped' })
    return printClock(face, json, io)
  },
})

export const agendaAdvanceVerb = defineVerb({
  name: 'advance',
  summary: 'advance the clock by a duration and run everything that becomes due',
  arguments: [{ name: 'duration', summary: 'a duration: 250ms, 5s, 2m, 1h', required: true }],
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
