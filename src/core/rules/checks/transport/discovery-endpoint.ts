/** Checks of GET /.well-known/…, at the service and in its own reads: DIS-WKN, DIS-GEN-01, LIM-DIS. */
import { roles } from '../../../protocol/role.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { defineChecks } from '../check.ts'
import {
  allTests,
  answersOf,
  atSteps,
  body,
  callsOf,
  type Deviation,
  each,
  every,
  hasStatus,
  isArrayValue,
  isText,
  replyIs,
  required,
  type ValueTest,
  where,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { isLocalPlain, whyWithoutTls } from './addresses.ts'
import { inReaders, whyUnread } from './begin-anew.ts'
import { capabilitiesIn } from './manifests.ts'

const reads = where(
  answersOf('getManifest'),
  ({ status, exchange }) => status > 0 && exchange.fault === undefined,
)
const ownReads = atSteps('introduction/read', 'introduction/read-again')
const goodReads = where(reads, ({ status }) => status === 200)

const isManifest: ValueTest = (reply) =>
  isUnknownRecord(reply) && capabilitiesIn(reply).length > 0
    ? undefined
    : 'it is no manifest with capabilities'

const declaresAll: ValueTest = body(
  isManifest,
  required('/participantId', isText),
  required('/protocolVersion', isText),
  required('/authentication/supportedGrantTypes', isArrayValue),
)

/** `max-age` of Cache-Control in seconds. */
const maxAgeOf = ({ replyHeader }: Observed): number =>
  Number(/max-age=(\d+)/i.exec(replyHeader('cache-control') ?? '')?.[1] ?? Number.NaN)

function livesLongEnough(read: Observed): Deviation {
  const age = maxAgeOf(read)
  return age >= 60
    ? undefined
    : `its manifest is fresh for ${Number.isNaN(age) ? 'no stated time' : `${age} s`}`
}

const isPublic = ({ replyHeader }: Observed): Deviation =>
  /\bpublic\b/i.test(replyHeader('cache-control') ?? '')
    ? undefined
    : 'the Cache-Control of its manifest is not public'

export const discoveryEndpointChecks = defineChecks(
  { roles, procedures: ['introduction'] },
  {
    'DIS-GEN-01': {
      assertion: each(ownReads, allTests(hasStatus(200), replyIs(declaresAll))),
      remedy:
        'Publish a manifest with your capabilities, their operations, versions and authentication.',
    },
    'DIS-WKN-01': {
      assertion: inReaders(
        every(
          each(ownReads, allTests(hasStatus(200), replyIs(isManifest))),
          each(callsOf('getManifest'), ({ exchange }) =>
            exchange.request.body ? 'it reads a manifest with a body' : undefined,
          ),
        ),
      ),
      whyUnobserved: whyUnread,
      remedy: 'Answer GET /.well-known/ and the name of the protocol with 200 and the manifest.',
    },
    'DIS-WKN-03': {
      assertion: each(
        ownReads,
        ({ status }) =>
          (status === 401 || status === 403) && `it answers ${status} to a read without a token`,
      ),
      remedy: 'Serve the manifest without authentication.',
    },
    'DIS-WKN-04': {
      assertion: each(
        where(reads, ({ url }) => !isLocalPlain(url)),
        ({ url }) =>
          url.protocol !== 'https:' && `its manifest is read at ${url.origin}, without TLS`,
      ),
      whyUnobserved: whyWithoutTls,
      remedy: 'Serve discovery over HTTPS.',
    },
    'DIS-WKN-05': {
      assertion: each(
        reads,
        ({ status }) =>
          status >= 300 && status < 400 && `it redirects (${status}) where its manifest is read`,
      ),
      remedy: 'Serve the manifest where it is asked for, without a redirect.',
    },
    'DIS-WKN-06': {
      assertion: each(goodReads, ({ replyHeader }) => {
        const type = replyHeader('content-type')
        return /^application\/json\b/i.test(type ?? '')
          ? undefined
          : `its manifest has the Content-Type ${type ?? '(none)'}`
      }),
      remedy: 'Serve the manifest as application/json.',
    },
    'DIS-WKN-07 LIM-DIS-01': {
      level: 'SHOULD',
      assertion: each(goodReads, allTests(isPublic, livesLongEnough)),
      remedy: 'Send Cache-Control: public, max-age=60 or more with the manifest.',
    },
    'DIS-WKN-08': {
      assertion: each(
        atSteps('introduction/read-from-browser'),
        ({ replyHeader }) =>
          !replyHeader('access-control-allow-origin') &&
          'its manifest has no Access-Control-Allow-Origin',
      ),
      remedy: 'Send Access-Control-Allow-Origin with the manifest.',
    },
  },
)
