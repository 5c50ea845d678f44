/**
 * Checks of the user's service, as `sparring doctor` shows them: the requests with which a session would begin, and what is
 * wrong with the answers. What a session waits for is never ok here.
 */
import { joinUrl, pathBelow } from '../../base/join-url.ts'
import type { Configuration } from '../../session-api/configuration/schema.ts'
import { isChannelExcluded } from '../../engine/orders/receiver.ts'
import { isManifestRead } from '../../engine/calls/manifest-answer.ts'
import { partnerOf } from '../../engine/world.ts'
import { trustsWithoutManifest } from '../../protocol/dialects/settings.ts'
import type { Role } from '../../protocol/role.ts'
import { type Exchange, headerValue } from '../../traffic/exchange.ts'
import { manifestNotices } from '../contact-notices.ts'
import {
  asSentence,
  type CheckFinding,
  okFinding,
  problemFinding,
  withoutRepetition,
} from './finding.ts'
import { type FirstCall, firstCalls } from './first-calls.ts'
import { OutboundCalls, type RequestEdit } from '../../runtime/client/outbound-calls.ts'
import { signatureHeader } from '../../runtime/client/signature.ts'
import type { Settings } from '../../engine/settings.ts'
import { type SignatureForm, signatureFormOf, signatureMaking } from '../../protocol/signature.ts'
import { type CallIntent, isSuccess, type OutgoingCall } from '../../engine/calls/call.ts'
import { firstPartnerCommand, type PartnerPair } from '../../partners/counterparts/partners.ts'
import { manifestPairs } from '../../partners/counterparts/cast.ts'
import { ownMerchantsOf } from '../../session-api/configuration/own-merchants.ts'
import { wallNow } from '../../runtime/clock/clock.ts'
import { createPauses } from '../../runtime/clock/pauses.ts'
import { createDestinations } from '../../runtime/client/destinations.ts'
import { OutboundExchanger } from '../../runtime/client/exchange.ts'
import { createSocketTransport } from '../../runtime/client/transport.ts'
import type { Command } from '../../engine/command.ts'
import { SessionEngine, type Engine } from '../../engine/engine.ts'
import { TrafficLog } from '../../traffic/log.ts'
import { displayUrl } from '../../traffic/redaction/display.ts'
import { castOptions } from '../reactors.ts'
import { engineSettings, playedRoles, reachableRoles } from '../settings.ts'
import { knownStores } from '../stores.ts'
import { startTls } from '../tls.ts'

// Calls the user's service as a session does, with its requests, tokens and signatures, but one
// call at a time and without counterparts: nothing follows from an answer.

/** What came of a call. */
interface ServiceCallResult {
  /** Oldest first: a token request, the call, and the same call with a new token, each where it was made. */
  readonly exchanges: readonly Exchange[]
  /** Why the call was not sent, or has no reply. */
  readonly error?: Error
}

interface ServiceClient {
  readonly engine: Pick<Engine, 'world' | 'settings'>
  /** The pairs of our roles and the service that deal with each other first. */
  readonly pairs: readonly PartnerPair[]
  /** Asks for the manifest, or goes without one, as the session would; the world knows the answer then. */
  readonly meet: (pair: PartnerPair) => Promise<ServiceCallResult>
  readonly call: (intent: CallIntent, edit?: RequestEdit) => Promise<ServiceCallResult>
  readonly close: () => void
}

/** `role` is that of the service. */
async function createServiceClient(
  configuration: Configuration,
  role: Role,
): Promise<ServiceClient> {
  const { subject, counterparts, conduct, seed } = configuration
  const roles = playedRoles(configuration)
  const tls = await startTls({ ...configuration, tls: false })
  const sockets = createSocketTransport({ timeoutMs: conduct.answerTimeout, trust: tls?.trust })
  const log = new TrafficLog({})
  const exchanges: Exchange[] = []
  log.onExchange((exchange) => exchanges.push(exchange))
  const engine = new SessionEngine({
    seed,
    settings: engineSettings(configuration, roles, knownStores([], ownMerchantsOf(configuration))),
    reactors: [],
    origin: wallNow(),
  })
  const exchanger = new OutboundExchanger({
    engine,
    log,
    pause: createPauses(engine),
    worldStopped: new AbortController().signal,
    usesSessionClock: () => false,
  })
  const outbound = new OutboundCalls({
    engine,
    destination: createDestinations({
      urls: new Map(),
      ownTransport: () => sockets.transport,
      socketTransport: sockets.transport,
      timeoutMs: conduct.answerTimeout,
      counterparts,
      subject,
    }),
    base: () => '',
    exchange: (call, to) => exchanger.exchange(call, to),
    subjectNow: wallNow,
  })
  /** Performs the next call that the engine places. */
  let perform: (call: OutgoingCall) => Promise<unknown> = (call) => outbound.make(call)
  let performing: Promise<unknown> = Promise.resolve()
  engine.onFact(({ fact }) => {
    if (fact.kind === 'call.placed') performing = perform(fact.call)
  })

  async function submit(command: Command): Promise<ServiceCallResult> {
    const before = exchanges.length
    engine.submit(command, 'session')
    const error = await performing.then(
      () => undefined,
      (failed: unknown) => (failed instanceof Error ? failed : new Error(String(failed))),
    )
    return { exchanges: exchanges.slice(before), ...(error ? { error } : {}) }
  }

  return {
    engine,
    pairs: manifestPairs(
      castOptions(configuration, roles, reachableRoles(roles, configuration, undefined)),
    ).filter(({ to }) => to === role),
    meet(pair) {
      perform = (call) => outbound.make(call)
      return submit(firstPartnerCommand(pair, engine.settings))
    },
    call(intent, edit) {
      perform = (call) => outbound.send(call, edit)
      return submit({ kind: 'call.place', call: intent })
    },
    close: sockets.close,
  }
}

/** What the answer to a first call says about token, path and signature of the user's service. */
const isTokenRequest = ({ operation }: Exchange): boolean => operation === 'issueToken'

/** `POST http://127.0.0.1:3000/webhooks/orders answers 404` */
function answerText({ request, reply, failure }: Exchange): string {
  const said = reply ? `answers ${reply.status}` : `has no answer (${failure?.code ?? 'FAILED'})`
  return `${request.method} ${displayUrl(request.url).split('?')[0]} ${said}`
}

const isTaken = ({ reply, failure }: Exchange): boolean =>
  !failure && isSuccess({ kind: 'answered', status: reply?.status ?? 0 })

const ourClientId = ({ from }: Exchange, { clients }: Settings): string =>
  clients.find(({ role }) => role === from.role)?.clientId ?? from.role

const isMissing = ({ reply }: Exchange): boolean => [404, 405, 501].includes(reply?.status ?? 0)

/** What to do where a call was not sent, since there is no token for it. */
function tokenRemedy(
  asked: Exchange,
  { message }: Error,
  { isWebhook }: FirstCall,
  { conduct }: Settings,
): string {
  if (!isMissing(asked))
    return isTaken(asked)
      ? `${asSentence(message)} Answer with access_token and expires_in as JSON (AUT-TOK-01).`
      : asSentence(asked.reason ?? message)
  const otherwise =
    isWebhook && signatureFormOf(conduct)
      ? ', or have webhooks signed and without a token, with conduct.webhookAccess: signature'
      : ''
  return `Serve a token endpoint there${otherwise}: the calls behind it are not sent without a token (AUT-TOK-01).`
}

/** About the token request that a call made necessary; none where there was none. */
function tokenFindings(
  { exchanges, error }: ServiceCallResult,
  call: FirstCall,
  settings: Settings,
): readonly CheckFinding[] {
  const asked = exchanges.findLast(isTokenRequest)
  if (!asked) return []
  const what = `token: ${answerText(asked)} to client_id=${ourClientId(asked, settings)}`
  if (error && exchanges.every(isTokenRequest))
    return [
      problemFinding(
        call.isEssential ? 'fail' : 'warn',
        what,
        tokenRemedy(asked, error, call, settings),
      ),
    ]
  return isTaken(asked)
    ? [okFinding(what)]
    : [problemFinding('warn', what, asSentence(asked.reason ?? 'see its log'))]
}

type Judgement = 'fine' | 'doubtful' | 'refused'

/** Whether a service that answers so takes the call. */
function judgementOf({ reply, failure }: Exchange, { isRefusable }: FirstCall): Judgement {
  const { status } = reply ?? { status: 0 }
  if (failure || status < 200 || (status >= 300 && status < 400)) return 'refused'
  if (status < 300) return 'fine'
  if (status === 429 || status === 500) return 'doubtful'
  if ([401, 403, 404, 405, 406, 415].includes(status) || status > 500) return 'refused'
  return isRefusable ? 'fine' : 'refused'
}

function remedyOf(exchange: Exchange, { isWebhook, isRefusable }: FirstCall): string {
  const { reply, reason, operation } = exchange
  if (reply?.status === 500 && isRefusable)
    return 'Your service failed at a body that has none of the fields that it needs: see its log, and answer 400 to such a body (TRN-STA-04).'
  if (isMissing(exchange) && !isWebhook)
    return `Serve it there, correct --subject <url>, or name its path in conduct.paths.${operation} of the configuration.`
  return asSentence(reason ?? 'see its log')
}

/** Where a path below the one of --subject is missing: whether the service has it at its root. */
async function rootRemedy(
  client: ServiceClient,
  call: FirstCall,
  { request }: Exchange,
  base: string,
): Promise<string | undefined> {
  const { origin, pathname, search } = new URL(base)
  const path = pathBelow(base, request.url)
  if (pathname === '/' || path === undefined) return undefined
  const url = joinUrl(`${origin}${search}`, path)
  const moved = await client.call(call.intent, (each) => ({ ...each, url }))
  const there = moved.exchanges.findLast((each) => !isTokenRequest(each))
  return there && !there.failure && !isMissing(there)
    ? `Your service has it at ${url}: start with --subject ${origin}${search === '' ? '' : ' and the query that it has'}.`
    : undefined
}

/** The store that a webhook names: there is no event, which would name it. */
const withMerchant =
  ({ merchants: [merchant] }: Settings): RequestEdit =>
  (request) =>
    'x-app-merchantid' in request.headers && merchant
      ? {
          ...request,
          headers: { ...request.headers, 'x-app-merchantid': merchant.merchantId },
        }
      : request

const noSecret = 'this is not the secret'

const withWrongSignature =
  (form: SignatureForm): RequestEdit =>
  (request) => ({
    ...request,
    headers: {
      ...request.headers,
      ...signatureHeader({ url: request.url, body: request.body ?? '' }, noSecret, form),
    },
  })

/**
 * The same request once more, with a wrong signature: a service that verifies refuses it as it has not refused the right
 * one. Its body is no event, so that nothing happens at a service that does not verify.
 */
async function signatureFinding(
  client: ServiceClient,
  call: FirstCall,
  form: SignatureForm,
): Promise<CheckFinding> {
  const { settings } = client.engine
  const { exchanges } = await client.call(call.intent, (request) =>
    withWrongSignature(form)(withMerchant(settings)(request)),
  )
  const forged = exchanges.findLast((each) => !isTokenRequest(each))
  const { status } = forged?.reply ?? { status: 0 }
  const path = forged ? `${forged.request.method} ${new URL(forged.request.url).pathname}` : ''
  if (status === 401 || status === 403)
    return okFinding(`signature: ${path} refuses a wrong ${form.header} with ${status}`)
  return isSuccess({ kind: 'answered', status })
    ? problemFinding(
        'warn',
        `signature: ${path} takes a wrong ${form.header} with ${status} (TRN-STA-05)`,
        `Compare it with the ${signatureMaking(form, 'your client secret')}, and answer 401 where it differs: anybody can send events else.`,
      )
    : problemFinding(
        'warn',
        `signature: ${path} answers ${status} to a wrong ${form.header}, as to the right one (TRN-STA-05)`,
        'Verify it before the body is read, and answer 401. The scenario a-forged-webhook shows whether an event is refused.',
      )
}

interface CallFindings {
  readonly findings: readonly CheckFinding[]
  readonly exchanges: readonly Exchange[]
}

/** One call of ours at the service, and what its answer shows. */
async function firstCallFindings(
  client: ServiceClient,
  call: FirstCall,
  base: string,
): Promise<CallFindings> {
  const { settings } = client.engine
  const { isEssential, isWebhook, label, capability } = call
  const result = await client.call(call.intent, withMerchant(settings))
  const findings = [...tokenFindings(result, call, settings)]
  const { exchanges } = result
  const exchange = exchanges.findLast((each) => !isTokenRequest(each))
  if (!exchange) return { findings, exchanges }
  const judgement = judgementOf(exchange, call)
  const what = `${label}: ${answerText(exchange)}`
  if (judgement === 'fine') {
    // A list of merchants leads to a token, and need not be there.
    if (label !== 'token') findings.push(okFinding(what))
    const form = isWebhook ? signatureFormOf(settings.conduct) : undefined
    if (form) findings.push(await signatureFinding(client, call, form))
    return { findings, exchanges }
  }
  const { fallback: operation, ...rest } = call
  if (operation !== undefined && exchange.reply?.status === 404)
    return firstCallFindings(client, { ...rest, intent: { ...call.intent, operation } }, base)
  if (label === 'token' && isMissing(exchange)) return { findings, exchanges }
  const moved = isMissing(exchange) && (await rootRemedy(client, call, exchange, base))
  const without =
    isEssential || capability === undefined
      ? ''
      : ` Only ${capability} needs it: capabilities: { ${capability}: false } does without.`
  const level = isEssential && judgement === 'refused' ? 'fail' : 'warn'
  findings.push(problemFinding(level, what, `${moved || remedyOf(exchange, call)}${without}`))
  return { findings, exchanges }
}

// Compares the clock of the user's service with ours, by the Date of its answers.

/** The protocol names no tolerance; this is the leeway that OAuth libraries give to clocks. */
const maxSkewMs = 60_000

/** Date has whole seconds: it stands for the second that begins with it. */
const dateResolutionMs = 1000

/** Milliseconds that its clock is ahead of ours, negative when it is behind; the least that the answer allows. */
function skewOf({ reply, startedAt, tookMs }: Exchange): readonly number[] {
  const date = Date.parse(headerValue(reply?.headers ?? [], 'date') ?? '')
  if (Number.isNaN(date)) return []
  const ahead = date - (startedAt + tookMs)
  const behind = date + dateResolutionMs - startedAt
  return [ahead > 0 ? ahead : Math.min(behind, 0)]
}

/** About the answer that is nearest to our clock: a cached one has an old Date. */
function clockFinding(exchanges: readonly Exchange[]): CheckFinding {
  const [skewMs] = exchanges.flatMap(skewOf).toSorted((a, b) => Math.abs(a) - Math.abs(b))
  if (skewMs === undefined) return okFinding('clock: its answers have no Date to compare')
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  if (Math.abs(skewMs) <= maxSkewMs)
    return okFinding(`clock: its Date differs from ours by ${seconds} s`)
  return problemFinding(
    'fail',
    `clock: the Date of its answers is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours, and ${maxSkewMs / 1000} s are tolerated`,
    'Set the clocks of both machines, for example by NTP: event times and Retry-After dates are compared with them.',
  )
}

/** About the manifest, once it was asked for. */
function manifestFindings(
  { engine, pairs }: ServiceClient,
  role: Role,
  url: string,
): readonly CheckFinding[] {
  const { world, settings } = engine
  const notices = manifestNotices(engine, role, () => url).map(({ stops, wrong, remedy }) =>
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
): Promise<{ readonly met: readonly Exchange[]; readonly unanswered?: Exchange }> {
  const met: Exchange[] = []
  for (const pair of client.pairs) {
    const { exchanges } = await client.meet(pair)
    met.push(...exchanges)
    const unanswered = exchanges.find(({ reply }) => !reply)
    if (unanswered) return { met, unanswered }
  }
  return { met }
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
  if (pairs.length === 0) return [okFinding(`your service at ${url}: this session never calls it`)]
  const { met, unanswered } = await meetAll(client)
  if (unanswered) return [unansweredFinding(url, unanswered)]
  const manifestUrl = met[0]?.request.url ?? ''
  const findings = [...manifestFindings(client, role, manifestUrl)]
  if (role === 'software-service') findings.push(...channelFindings(client))
  const all = [...met]
  for (const each of pairs)
    for (const call of firstCalls(each, { engine, webhooks })) {
      const made = await firstCallFindings(client, call, url)
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

/**
 * All findings about the service at `subject.url`; none without a URL or a role. Nothing is left behind at the service.
 */
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
