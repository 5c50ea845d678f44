/**
 * Checks of the user's service, as `sparring doctor` shows them: the requests with which a session would begin, and what is
 * wrong with the answers. What a session waits for is never ok here.
 */
import type { Configuration } from '../../session-api/configuration/schema.ts'
import { isChannelExcluded } from '../../engine/orders/receiver.ts'
import { isManifestRead } from '../../engine/calls/manifest-answer.ts'
import { partnerOf } from '../../engine/world.ts'
import { trustsWithoutManifest } from '../../protocol/dialects/settings.ts'
import type { Role } from '../../protocol/role.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { manifestNotices } from '../contact-notices.ts'
import { firstCallFindings } from './call-findings.ts'
import { clockFinding } from './clock-finding.ts'
import {
  asSentence,
  type CheckFinding,
  okFinding,
  problemFinding,
  withoutRepetition,
} from './finding.ts'
import { firstCalls } from './first-calls.ts'
import { createServiceClient, type ServiceClient } from './service-client.ts'

/** About the manifest, once it was asked for. */
function manifestFindings(
  { engine, pairs }: ServiceClient,
  role: Role,
  url: string,
): readonly CheckFinding[] {
  const { world, settings } = engine
  const notices = manifestNotices(engine, role, url).map(({ stops, wrong, remedy }) =>
    problemFinding(stops ? 'fail' : 'warn', wrong, remedy === '' ? 'Correct it there.' : remedy),
  )
  if (notices.length > 0) return notices
  if (trustsWithoutManifest(settings.conduct)) return [okFinding('manifest: none is asked for')]
  const isRead = pairs.some(({ from, to }) => isManifestRead(partnerOf(world, from, to)?.manifest))
  return isRead ? [okFinding(`manifest: ${url} is valid`)] : []
}

/** About the channels that the manifest of a store allows: events that it excludes are handed over by no other. */
function channelFindings({ engine: { world, settings } }: ServiceClient): readonly CheckFinding[] {
  const { channels } = settings
  const wanted = (['polling', 'webhook'] as const).filter((each) => channels[each])
  const excluded = wanted.filter((each) => isChannelExcluded(each, world))
  return excluded.map((each) =>
    problemFinding(
      excluded.length === wanted.length ? 'fail' : 'warn',
      `channel: the manifest excludes ${each} for orders (ORD-CHN-01)`,
      `Declare supports${each === 'polling' ? 'Polling' : 'Webhook'}: true in its orders receiver block, or start with another --channel.`,
    ),
  )
}

/** The manifest request of each pair, until one is without an answer. */
async function meetAll(
  client: ServiceClient,
): Promise<{ readonly seen: readonly Exchange[]; readonly unanswered?: Exchange }> {
  const seen: Exchange[] = []
  for (const pair of client.pairs) {
    const { exchanges } = await client.meet(pair)
    seen.push(...exchanges)
    const unanswered = exchanges.find(({ reply }) => !reply)
    if (unanswered) return { seen, unanswered }
  }
  return { seen }
}

const unansweredFinding = (url: string, { failure, reason }: Exchange): CheckFinding =>
  problemFinding(
    'fail',
    `your service does not answer at ${url} (${failure?.code ?? 'FAILED'})`,
    asSentence(reason ?? failure?.message ?? 'start it, or correct --subject'),
  )

async function checkWith(
  client: ServiceClient,
  { subject: { webhooks } }: Configuration,
  { role, url }: { readonly role: Role; readonly url: string },
): Promise<readonly CheckFinding[]> {
  const { engine, pairs } = client
  const base = url.replace(/\/+$/, '')
  if (pairs.length === 0) return [okFinding(`your service at ${url}: this session never calls it`)]
  const { seen, unanswered } = await meetAll(client)
  if (unanswered) return [unansweredFinding(url, unanswered)]
  const manifestUrl = seen[0]?.request.url ?? ''
  const findings = [...manifestFindings(client, role, manifestUrl)]
  if (role === 'software-service') findings.push(...channelFindings(client))
  const all = [...seen]
  for (const each of pairs)
    for (const call of firstCalls(each, { engine, webhooks })) {
      const made = await firstCallFindings(client, call, base)
      const silent = made.exchanges.find(({ reply }) => !reply)
      all.push(...made.exchanges)
      if (silent && all.every(({ reply }) => !reply)) return [unansweredFinding(url, silent)]
      findings.push(...made.findings)
    }
  const answers = all.some(({ reply }) => reply)
    ? [okFinding(`your service answers at ${url}`), ...findings, clockFinding(all)]
    : findings
  return withoutRepetition(answers)
}

/** All findings about the service at `subject.url`; none without a URL or a role. Nothing is left behind at the service. */
export async function checkService(configuration: Configuration): Promise<readonly CheckFinding[]> {
  const { role, url } = configuration.subject
  if (role === undefined || url === undefined) return []
  const client = await createServiceClient(configuration, role)
  try {
    return await checkWith(client, configuration, { role, url })
  } finally {
    client.close()
  }
}
