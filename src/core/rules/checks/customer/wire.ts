/** Checks of HTTPS and JSON in Customer: CUS-BND-01. */
import { defineChecks, type Assertion } from '../check.ts'
import { each, every, observation, type Test } from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { isOfCustomer, ofCrm, ofApplication } from './assertions.ts'
import { customerBlockIn, manifestsAt } from './manifest.ts'

/** HTTPS, but for a service on a network of the one who certifies it. */
const isLocal = (host: string): boolean =>
  !host.includes('.') ||
  /\.(test|local|localhost|internal)$/.test(host) ||
  /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(host)

const declaresHttps: Assertion = function* (trace) {
  for (const manifest of manifestsAt(trace, 'customer-operations/manifest')) {
    const { endpoint } = customerBlockIn(manifest.reply) ?? {}
    if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) continue
    const { protocol, hostname } = new URL(endpoint)
    yield observation(
      [manifest],
      protocol !== 'https:' &&
        !isLocal(hostname) &&
        `it declares ${endpoint} as the endpoint of Customer, which is no https`,
    )
  }
}

const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^application\/(json|[\w.+-]+\+json)\b/i.test(type)

/** Bodies of its requests and of its replies are JSON by their headers. */
const bodiesAreJson: Test<Observed> = ({ isCall, exchange, requestHeader, replyHeader }) => {
  const body = isCall ? exchange.request.body : exchange.reply?.body
  const type = isCall ? requestHeader('content-type') : replyHeader('content-type')
  const isNowhere = !isCall && (exchange.reply?.status === 404 || exchange.reply?.status === 405)
  if (body === undefined || body === '' || isJson(type) || isNowhere) return undefined
  return `it ${isCall ? 'sends' : 'answers'} a body of Customer as ${type ?? 'nothing'}, not application/json`
}

export const wireChecks = defineChecks(
  { ...ofApplication, procedures: ['customer-operations', 'own-leads'] },
  {
    'CUS-BND-01': {
      assertion: every(
        each((trace) => trace.all.filter(isOfCustomer), bodiesAreJson),
        declaresHttps,
      ),
      remedy: 'Declare an https endpoint of Customer, and label each body as application/json.',
    },
  },
  {
    'CUS-BND-01': {
      ...ofCrm,
      procedures: ['customer-operations'],
      assertion: every(
        each((trace) => trace.all.filter(isOfCustomer), bodiesAreJson),
        declaresHttps,
      ),
      remedy: 'Declare an https endpoint of Customer, and label each body as application/json.',
    },
  },
)
