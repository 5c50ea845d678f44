/** Checks of addresses and methods: TRN-CON-02, TRN-CON-04, TRN-CON-05, MIG-TEN-01. */
import {
  type Capability,
  fillPath,
  httpMethods,
  type Operation,
} from '../../../protocol/operation.ts'
import { roles } from '../../../protocol/role.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { recogniseOperation } from '../../../traffic/recognise-operation.ts'
import { type Assertion, defineChecks } from '../check.ts'
import { callsOf, type Deviation, each, every, notice, observation, where } from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { capabilitiesIn } from './manifests.ts'
import { replies } from './statuses.ts'

/** Names of this machine and of tests, where HTTP without TLS is a choice. */
const localNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.(localhost|test|local))$/i

/** An address of this machine without TLS, as of a service that is certified where it is developed. */
export const isLocalPlain = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && localNames.test(hostname)

/** Why a clause about TLS does not come up. */
export const whyWithoutTls =
  'it is certified on this machine without TLS; certify it at its public address'

const urlMembers = new Set([
  'endpoint',
  'baseUrl',
  'orderURL',
  'orderUrl',
  'url',
  'callbackUrl',
  'webhookUrl',
])

/** URLs in a body that name an address of its sender. */
function urlsIn(value: unknown, found: URL[] = []): readonly URL[] {
  if (Array.isArray(value)) for (const entry of value) urlsIn(entry, found)
  else if (isUnknownRecord(value))
    for (const [name, member] of Object.entries(value))
      if (typeof member !== 'string') urlsIn(member, found)
      else if (urlMembers.has(name) && /^https?:/i.test(member) && URL.canParse(member))
        found.push(new URL(member))
  return found
}

const manifestReplies = where(replies, ({ operation: id }) => id === 'getManifest')

/** Each URL that the service tells of itself is one of HTTPS; local ones may be plain where the service itself is. */
const urlsAreHttps: Assertion = function* (trace) {
  const isPlainHere = manifestReplies(trace).every(({ url }) => isLocalPlain(url))
  for (const observed of trace.all) {
    const sent = observed.isCall ? observed.request : observed.reply
    for (const url of urlsIn(sent)) {
      if (isPlainHere && isLocalPlain(url)) continue
      const problem = `it names an address without TLS: ${url.origin}`
      yield observation(
        [observed],
        url.protocol === 'https:' ? undefined : isLocalPlain(url) ? notice(problem) : problem,
      )
    }
  }
}

const addressIsHttps: Assertion = each(
  where(manifestReplies, ({ url }) => !isLocalPlain(url)),
  ({ url }) => url.protocol !== 'https:' && `its manifest is read at ${url.origin}, without TLS`,
)

/** GET reads, POST changes: a path is called with the method that it has. */
function usesListedMethod({ operation: id, exchange: { request } }: Observed): Deviation {
  // A path that the host does not have is no mistake in the method.
  if (id !== undefined || recogniseOperation(request.method, request.url)) return undefined
  const meant = httpMethods.find((method) => recogniseOperation(method, request.url))
  return meant === undefined
    ? undefined
    : `it calls ${new URL(request.url).pathname} with ${request.method}, not ${meant}`
}

const idsIn = (value: unknown): string =>
  JSON.stringify(value, (key: string, member: unknown) =>
    typeof member === 'string' && !/id$|^status$|code$/i.test(key) && key !== ''
      ? undefined
      : member,
  )

/** Two reads in a row show the same. */
const readsChangeNothing: Assertion = function* (trace) {
  for (const second of trace.at('repeated-reads/second')) {
    const first = trace
      .at('repeated-reads/first')
      .find(({ operation: id }) => id === second.operation)
    if (!first || first.status === 0 || second.status === 0) continue
    const problem =
      first.status !== second.status
        ? `its ${second.operation} answers ${first.status} and then ${second.status}`
        : idsIn(first.reply) === idsIn(second.reply)
          ? undefined
          : notice(`its ${second.operation} shows something else at the second read`)
    yield observation([first, second], problem)
  }
}

/** The base URLs that a call may have: the declared one of its capability; for tokens and merchants any of the host. */
function basesOf(trace: Trace, call: Observed, capability: Capability): readonly string[] {
  const read = trace
    .calls('getManifest')
    .findLast(
      ({ exchange, status }) =>
        exchange.to.role === call.exchange.to.role &&
        status === 200 &&
        exchange.seq < call.exchange.seq,
    )
  if (!read) return []
  const isOfHost = capability === 'auth'
  const urls = capabilitiesIn(read.reply).flatMap(({ name, block }) =>
    isOfHost || name === capability ? [block['baseUrl'], block['endpoint']] : [],
  )
  const bases = urls.flatMap((url) => (typeof url === 'string' ? [url.replace(/\/+$/, '')] : []))
  return isOfHost ? [read.url.href.replace(/\/\.well-known\/.*$/, ''), ...bases] : bases
}

/** Calls go to the declared base URL and a path of the operation behind it. */
const callsUnderDeclaredBase = (isAbout: (call: Observed) => boolean): Assertion =>
  function* (trace) {
    for (const call of trace.calls()) {
      const meant = recogniseOperation(call.exchange.request.method, call.url.href)
      const row: Operation | undefined = meant?.row
      if (!row || row.webhook || row.capability === 'discovery' || !isAbout(call)) continue
      const bases = basesOf(trace, call, row.capability)
      if (bases.length === 0) continue
      const params = meant?.params ?? {}
      const paths = [row.path, ...(row.aliases ?? [])].filter((path) =>
        [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => Object.hasOwn(params, name)),
      )
      const address = decodeURIComponent(`${call.url.origin}${call.url.pathname}`)
      const isThere = paths.some((path) =>
        bases.some((base) => address === decodeURIComponent(`${base}${fillPath(path, params)}`)),
      )
      yield observation(
        [call],
        !isThere && `it calls ${row.id} at ${address}, not under ${bases[0]}`,
      )
    }
  }

const isAnyCall = (): boolean => true

/** Paths of the REST binding of Customer, whose prefix is no version of the protocol. */
const isBindingCall = ({ url }: Observed): boolean => url.pathname.includes('/v1/customer/')

export const addressChecks = defineChecks(
  { roles, procedures: ['introduction', 'activity'] },
  {
    'TRN-CON-02': {
      assertion: every(urlsAreHttps, addressIsHttps),
      whyUnobserved: whyWithoutTls,
      remedy: 'Serve everything over HTTPS, and name addresses of HTTPS alone.',
    },
    'TRN-CON-04': {
      procedures: ['introduction', 'activity', 'repeated-reads'],
      assertion: every(
        each(
          where(callsOf(), ({ exchange }) => exchange.unparsed === undefined),
          usesListedMethod,
        ),
        readsChangeNothing,
      ),
      remedy: 'Read with GET, which changes nothing, and change with POST.',
    },
    'TRN-CON-05': {
      assertion: callsUnderDeclaredBase(isAnyCall),
      remedy:
        'Append the path of an operation to the base URL that the manifest declares for its capability.',
    },
    'MIG-TEN-01': {
      roles: ['ordering-application', 'crm'],
      needs: ['customer'],
      assertion: callsUnderDeclaredBase(isBindingCall),
      remedy:
        'Append /v1/customer/… to the declared endpoint as it stands, whatever version that has.',
    },
  },
)
