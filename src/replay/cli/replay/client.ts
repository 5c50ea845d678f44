/** The driver `client`: sends the recorded requests to the subject again. */
import { compact } from '../../../core/base/compact.ts'
import { createInterface } from 'node:readline'
import { problem } from '../../../core/base/problem.ts'
import { openPlayback, type Playback, type PlaybackPorts } from '../../playback/replay/replay.ts'
import type { PlaybackOptions } from '../../playback/replay/options.ts'
import { printLine, type Io } from '../../../terminal/cli/io.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { isHostIssued } from '../../difference/candidate-index.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import {
  parseAnswerFlags,
  recordFileOf,
  allowedTarget,
  parseOnlyFilter,
  parseReplayPace,
  rejectForeignFlags,
} from './flag-values.ts'
import { defineDriver, readReplaySession } from './driver.ts'
import { parseFrom } from './edits.ts'

/** `--step`: Enter sends the next request; the end of stdin lets the rest play by itself. */
function stepByHand({ session }: Playback, io: Io): Disposable {
  const lines = createInterface({ input: io.stdin() })
  let ended = false
  const close = (): void => {
    ended = true
    lines.close()
  }
  const sendNext = async (): Promise<void> => {
    const row = await session.step()
    if (row) await printLine(io.stderr, row.text)
  }
  lines.on('line', () => void sendNext())
  lines.on('close', () => {
    if (!ended) void session.setClock({ mode: 'real' })
  })
  return { [Symbol.dispose]: close }
}

/** Whether the recorded subject called its partner, other than for tokens and manifests. */
const hasSubjectCalls = ({ exchanges }: RecordingContent, role: string | undefined): boolean =>
  exchanges.some(
    ({ from, to, operation }) =>
      (role === undefined ? from.party === 'subject' : from.role === role) &&
      to.role !== from.role &&
      operation !== undefined &&
      !isHostIssued({ operation }),
  )

async function printUrls({ session }: Playback, io: Io): Promise<void> {
  const places = [...session.urls].map(([role, url]) => `${role} ${url}`).join('  ')
  await printLine(io.stderr, `your service is answered from the recording at  ${places}`)
}

export const clientDriver = defineDriver({
  check(flags) {
    rejectForeignFlags(flags, 'client')
    if (flags.to === undefined)
      throw problem('replaying', 'no URL of your service is given', 'Say it with --to <url>.')
    allowedTarget(flags.to, flags['allow-target'])
    parseReplayPace(flags)
    parseOnlyFilter(flags.only)
    parseFrom(flags.from)
  },
  async run(drive) {
    const { flags, io, content, seed, rules, edited, signal, screen } = drive
    const from = parseFrom(flags.from, content)
    const isAnswered = !flags['no-answers'] && hasSubjectCalls(content, flags.as)
    const answers = isAnswered
      ? {
          ...compact({ settleMs: drive.settleMs }),
          ...parseAnswerFlags(flags, io),
          waits: !flags.step && !screen,
        }
      : undefined
    const { configured, session } = await readReplaySession(drive)
    const { as: role, repeat } = flags
    const record = answers ? await recordFileOf(flags, answers, content, io) : flags.record
    const options: PlaybackOptions = {
      ...session,
      recording: content,
      to: allowedTarget(flags.to ?? '', flags['allow-target']),
      seed,
      rules,
      signal,
      clock: flags.step || screen ? 'stepped' : 'real',
      pace: parseReplayPace(flags),
      ...(flags.only === undefined ? {} : { only: parseOnlyFilter(flags.only) }),
      sameIds: flags['same-ids'] === true,
      replayHeaders: flags['no-replay-headers'] !== true,
      ...compact({ subject: configured, edited, role, from, times: repeat, record, answers }),
    }
    const ports: PlaybackPorts = screen?.ports ?? {
      onReplayed(replayed) {
        if (drive.isEnough?.(replayed)) playback.stop()
      },
      onWarning: (text: string) => void printLine(io.stderr, escapeControls(`sparring: ${text}`)),
    }
    await using playback = await openPlayback(options, ports)
    drive.service?.start()
    await drive.service?.answers(signal)
    if (screen) return await screen.show(playback)
    if (answers && !flags.quiet) await printUrls(playback, io)
    using _stepping = flags.step ? stepByHand(playback, io) : undefined
    return await playback.run()
  },
})
