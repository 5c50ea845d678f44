/**
 * Before our counterparts decide anything, your service is there: it answers, or it calls us. And where it knew its partner
 * before that one asked it anything, as the recording has it, it is given a moment to get to know us first: a service that
 * was just started has no stores yet.
 */
import type { Configuration } from '../../configuration/schema.ts'
import { problem } from '../../problem.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import { waitForContact } from '../run/wait-for-subject.ts'
import { sleep } from '../run/sleep.ts'
import { unreachable } from '../subject-probe.ts'
import type { Session } from '../../session-api/session.ts'

/** Services look again for a partner that was not there: first soon, and then ever more seldom. */
const contactSeconds = 10

/** What a service asks before it knows its partner. */
const introductions: ReadonlySet<string> = new Set(['getManifest', 'issueToken'])

/** Services that have had their moment: one that knows us does not ask again, and is not waited for again. */
const acquainted = new Set<string>()

const asksForStores = ({ operation, from, to }: RecordedExchange, whose: 'from' | 'to'): boolean =>
  operation === 'listMerchants' && (whose === 'from' ? from : to).party === 'subject'

function knewFirst(exchanges: readonly RecordedExchange[]): boolean {
  const asked = exchanges.findIndex((each) => asksForStores(each, 'from'))
  const wasAsked = exchanges.findIndex((each) => asksForStores(each, 'to'))
  return asked >= 0 && wasAsked > asked
}

const addresses = ({ urls }: Session): string =>
  [...urls].map(([role, url]) => `${role} ${url}`).join(', ')

export interface Meeting {
  readonly url: string
  readonly configuration: Configuration
  readonly exchanges: readonly RecordedExchange[]
  readonly signal: AbortSignal
  readonly onWarning: (text: string) => void
  /** How long is waited for it. */
  readonly seconds?: number
}

/** Throws a problem when nobody is there. */
export async function meet(
  session: Session,
  { url, configuration, exchanges, signal, onWarning, seconds = contactSeconds }: Meeting,
): Promise<void> {
  const met = new AbortController()
  const stop = session.onExchange(({ operation, from }) => {
    if (from.party === 'subject' && !introductions.has(operation ?? '')) met.abort()
  })
  try {
    const not = await waitForContact({
      session,
      url,
      seconds,
      why: (place) => unreachable(place, configuration),
      child: () => undefined,
      enough: signal,
    })
    if (not)
      throw problem('replaying', `your service: ${not.because}`, 'Start it, or correct --to.', 3)
    if (acquainted.has(url) || !knewFirst(exchanges)) return
    acquainted.add(url)
    await sleep(seconds * 1000, AbortSignal.any([met.signal, signal]))
    if (!met.signal.aborted && !signal.aborted)
      onWarning(
        `your service has not called us within ${seconds} s; when this was recorded it did so first. Should it not know us (${addresses(session)}), start it again`,
      )
  } finally {
    stop()
  }
}
