/** `sparring agenda run`, `pause` and `advance`: control of the session's clock. */
import { compact } from '../../core/base/compact.ts'
import type { ExitCode } from '../../terminal/cli/exit-code.ts'
import { printLine } from '../../terminal/cli/io.ts'
import { clockNames } from '../../terminal/cli/name-lists.ts'
import { defineSessionVerb, type SessionAccess } from './support/session-verb.ts'
import { pluralise } from '../../core/protocol/count-text.ts'

/** `until`: where an advance was meant to end. */
async function printClock({ connect, print, io }: SessionAccess, until = 0): Promise<ExitCode> {
  const { clockOf } = await import('../../core/engine/instant.ts')
  const { agenda, info } = await (
    await connect()
  ).look({ agenda: { limit: 1000, background: false } })
  const { clock } = info
  const held = agenda.filter((row) => row.held).length
  const remaining = Math.max(0, until - clock.now)
  const speed =
    clock.mode === 'real' && clock.speed !== 1 ? ` at ${clock.speed} times its speed` : ''
  const code = await print(until === 0 ? clock : { ...clock, remaining }, () =>
    printLine(
      io.stdout,
      `clock ${clock.mode}${speed}, ${clockOf(clock.now)}, ${pluralise(agenda.length - held, 'item')} pending, ${held} held`,
    ),
  )
  if (remaining > 0)
    await printLine(
      io.stderr,
      `the limit of one call was reached with ${remaining / 1000} s left: advance again`,
    )
  return code
}

export const agendaRunVerb = defineSessionVerb({
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
  ],
  async run({ clock: mode = 'real', speed }, session) {
    await (await session.connect()).setClock({ mode, ...compact({ speed }) })
    return printClock(session)
  },
})

export const agendaPauseVerb = defineSessionVerb({
  name: 'pause',
  summary: 'pause the clock: nothing happens until the next step or run',
  async run(_, session) {
    await (await session.connect()).setClock({ mode: 'stepped' })
    return printClock(session)
  },
})

export const agendaAdvanceVerb = defineSessionVerb({
  name: 'advance',
  summary: 'advance the clock by a duration and run everything that becomes due',
  arguments: [{ name: 'duration', summary: 'a duration: 250ms, 5s, 2m, 1h', required: true }],
  async run({ duration }, session) {
    const { parseDurationArgument } = await import('../../terminal/cli/parse-duration-argument.ts')
    const ms = parseDurationArgument(duration, 'advancing the clock')
    const api = await session.connect()
    const { info } = await api.look({})
    await api.advance(ms)
    return printClock(session, info.clock.now + ms)
  },
})
