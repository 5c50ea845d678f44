/** The driver `partner`: our counterparts repeat the recorded partner's decisions against the live subject. */
import { compact } from '../../../core/base/compact.ts'
import { problem } from '../../../core/base/problem.ts'
import { decisionsOf } from '../../from-recording/decisions.ts'
import { crashOptionsOf, isCrash } from '../../from-recording/history.ts'
import type { StepPace } from '../../from-recording/steps-of.ts'
import { replayByDecisions } from '../../playback/replay/redrive.ts'
import { printLine } from '../../../terminal/cli/io.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { defineDriver, readReplaySession, recordedSpeedOf, type TrialService } from './driver.ts'
import type { ReplayFlags } from './flags.ts'
import { allowedTarget, parseReplayPace, rejectForeignFlags } from './flag-values.ts'
import type { Configuration } from '../../../core/session-api/configuration/schema.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { waitForSubject } from '../../../terminal/service/subject-answers.ts'
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import { unreachableReason } from '../../../terminal/service/subject-requests.ts'
import type { Session } from '../../../core/session-api/session.ts'

/** Covers the first retries of a subject that backs off from an unreachable partner. */
const contactSeconds = 10

/** A subject that is started first takes longer. */
const startSeconds = 30

/** Operations of the handshake, before the subject knows its partner. */
const handshakeOperations: ReadonlySet<string> = new Set(['getManifest', 'issueToken'])

/** URLs of subjects that were already waited for: one that knows us does not list the stores again. */
const knownUrls = new Set<string>()

const listsStores = ({ operation, from, to }: RecordedExchange, side: 'from' | 'to'): boolean =>
  operation === 'listMerchants' && (side === 'from' ? from : to).party === 'subject'

function subjectListedFirst(exchanges: readonly RecordedExchange[]): boolean {
  const asked = exchanges.findIndex((each) => listsStores(each, 'from'))
  const wasAsked = exchanges.findIndex((each) => listsStores(each, 'to'))
  return asked >= 0 && wasAsked > asked
}

const addresses = ({ urls }: Session): string =>
  [...urls].map(([role, url]) => `${role} ${url}`).join(', ')

interface SubjectReadyOptions {
  readonly url: string
  readonly configuration: Configuration
  readonly exchanges: readonly RecordedExchange[]
  readonly signal: AbortSignal
  readonly onWarning: (text: string) => void
  /** The service, if it was started for this replay. */
  readonly service?: TrialService
  /** Time limit. */
  readonly seconds?: number
}

/**
 * Waits for the subject before our counterparts act: it must answer or call us. If in the recording
 * it listed the partner's stores before the partner listed its own, it also gets time to do so: a
 * fresh service has no stores yet. Throws a problem when the subject is not ready in time.
 */
export async function ensureSubjectReady(
  session: Session,
  {
    url,
    configuration,
    exchanges,
    signal,
    onWarning,
    service,
    seconds = contactSeconds,
  }: SubjectReadyOptions,
): Promise<void> {
  const called = new AbortController()
  const stop = session.onExchange(({ operation, from }) => {
    if (from.party === 'subject' && !handshakeOperations.has(operation ?? '')) called.abort()
  })
  try {
    const notReady = await waitForSubject({
      session,
      url,
      seconds: service ? startSeconds : seconds,
      probe: (place) => unreachableReason(place, configuration, signal),
      startedSubject: () => service,
      enough: signal,
    })
    if (notReady) {
      const said = service?.lastLine()
      throw problem(
        'replaying',
        `your service: ${notReady.because}${said === undefined ? '' : ` (${said})`}`,
        service ? 'Correct the command of --start.' : 'Start it, or correct --to.',
        3,
      )
    }
    if (knownUrls.has(url) || !subjectListedFirst(exchanges)) return
    knownUrls.add(url)
    await abortableSleep(seconds * 1000, AbortSignal.any([called.signal, signal]))
    if (!called.signal.aborted && !signal.aborted)
      onWarning(
        `your service has not called us within ${seconds} s; when this was recorded it did so first. Should it not know us (${addresses(session)}), start it again`,
      )
  } finally {
    stop()
  }
}

function paceOf(flags: ReplayFlags): StepPace {
  const { mode, speed, maxGapMs } = parseReplayPace(flags)
  return { timing: mode === 'asap' ? 'asap' : (speed ?? 'original'), ...compact({ maxGapMs }) }
}

export const partnerDriver = defineDriver({
  check(flags) {
    rejectForeignFlags(flags, 'partner')
    if (flags.to !== undefined) allowedTarget(flags.to, flags['allow-target'])
    paceOf(flags)
  },
  async run(drive) {
    const { flags, io, content, seed, rules, signal, service } = drive
    const { configured, session, configuration } = await readReplaySession(drive)
    const to = flags.to ?? configured?.url
    if (to === undefined && decisionsOf(content).subject !== 'none')
      throw problem('replaying', 'no URL of your service is given', 'Say it with --to <url>.')
    const url = to === undefined ? undefined : allowedTarget(to, flags['allow-target'])
    const { exchanges } = content
    // As fast as in the recording, as the service goes, unless the configuration says otherwise.
    const pace = compact({ speed: session.speed ?? recordedSpeedOf(content) })
    /** How long the service took to come, by the clock of the session: after each crash it takes so long again. */
    let startedMs = 0
    const absenceMs = (): number =>
      service && exchanges.some(isCrash) ? crashOptionsOf(content).down + startedMs : 0
    const onWarning = (text: string): void =>
      void printLine(io.stderr, escapeControls(`sparring: ${text}`))
    return replayByDecisions({
      ...session,
      ...pace,
      recording: content,
      seed,
      rules,
      signal,
      ...compact({ ...paceOf(flags), subject: configured }),
      ...(url === undefined
        ? {}
        : {
            to: url,
            async met(ours) {
              const began = performance.now()
              service?.start()
              const subject = { url, configuration, exchanges, ...compact({ service }) }
              await ensureSubjectReady(ours, { ...subject, signal, onWarning })
              startedMs = (performance.now() - began) * (pace.speed ?? 1)
            },
          }),
      ...compact({ role: flags.as, record: flags.record }),
      ...(drive.settleMs === undefined
        ? {}
        : {
            settle: {
              ms: () => Math.max(drive.settleMs ?? 0, 2 * absenceMs()),
              orderId: drive.orderId,
              invariant: drive.invariant,
            },
          }),
      onWarning,
    })
  },
})
