/** A session on a terminal without a screen: log lines, and a line prompt for every action of the dashboard. */
import { followSession } from '../../core/runtime/control/follow.ts'
import type { DashboardPorts } from '../dashboard/effects/ports.ts'
import { err } from '../../core/protocol/result.ts'
import type { SessionApi } from '../../core/session-api/session-api.ts'
import { firstContactLines } from './first-contact-lines.ts'
import { type Io, printLine } from './io.ts'
import { createSessionLogFormatter, type SessionLogOptions } from './log-lines.ts'
import { reportFailedVerdicts } from './verdict-lines.ts'

export async function runPlainSession(
  face: SessionApi,
  { all }: SessionLogOptions,
  io: Io,
  { signal, ...extraPorts }: DashboardPorts & { readonly signal: AbortSignal },
): Promise<void> {
  const { LinePrompt, suspendToShell } = await import('../../core/runtime/line-prompt.ts')
  const { createPlainDashboard } = await import('../dashboard/runtime/plain.ts')
  const { createEditText } = await import('./edit-text.ts')
  const dashboard = createPlainDashboard(face)
  const prompt = new LinePrompt({
    input: io.stdin(),
    output: io.stdout,
    complete: dashboard.complete,
    suspend: suspendToShell,
  })
  const print = async (lines: readonly string[]): Promise<void> => {
    if (lines.length > 0) await printLine(prompt.output, lines.join('\n'))
  }
  const ended = new AbortController()
  const log = createSessionLogFormatter({ all, words: true })
  using _failed = reportFailedVerdicts(
    { ...face, look: (view) => face.patientLook?.(view) ?? face.look(view) },
    { lastAt: log.lastAt },
    { ...io, stdout: prompt.output },
  )
  face.subscribeToNotices?.(({ text }) => void print([text]))
  const writeLog = async (): Promise<void> => {
    const from = { fact: 0, exchange: 0 }
    for await (const news of followSession(face, { from, signal: ended.signal }))
      await print(log.lines(news, false))
  }
  try {
    const { info } = await face.look({})
    await print([
      ...(face.playback ? [] : firstContactLines(info)),
      'Type a command and enter: help lists them, status tells how the session is, quit ends it.',
    ])
    const writing = writeLog()
    await dashboard.run({
      ports: {
        editText: createEditText({
          env: io.env,
          lend: (to) => prompt.lend(() => io.aside?.(to) ?? to()),
        }),
        copyText(text) {
          void print([text])
          return err('plain output has no clipboard, so the text is printed')
        },
        ...extraPorts,
      },
      read: () => prompt.read(),
      print,
      signal,
    })
    ended.abort()
    prompt.close()
    await writing
  } finally {
    ended.abort()
    prompt.close()
  }
}
