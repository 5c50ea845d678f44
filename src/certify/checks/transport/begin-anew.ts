/** A service that begins anew while our manifests are of no use: DIS-GEN-02, MIG-VER-03. */
import { operation } from '../../../core/protocol/catalogue.ts'
import { parseManifest } from '../../../core/protocol/discovery/parse-manifest.ts'
import { roles } from '../../../core/protocol/role.ts'
import { majorVersionOf } from '../../../core/protocol/version.ts'
import { defineChecks, type Assertion } from '../../judge/check.ts'
import { observation } from '../../judge/assertion.ts'
import { beginsAnew } from '../../judge/blameless.ts'
import type { Observed, Trace } from '../../judge/trace.ts'
import { hasCalled } from '../orders/served-orders.ts'
import { createStimulus } from './activity.ts'
import { firstCaller } from './callers.ts'

export const readsManifest = ({ isCall, operation: id }: Observed): boolean =>
  isCall && id === 'getManifest'

<<<<<<< HEAD
/** Restarts the service, and waits until it answers again. */
async function restart(context: ProcedureContext): Promise<void> {
  await context.bringAbout({ note: restarts, text: 'the service' }, () =>
    context.ask({ kind: 'begin-anew' }),
  )
  const as = firstCaller(context.role)
  const answer = await readUntil(
    context,
    () => context.call('answers-again', { as, operation: 'getManifest' }),
    ({ status }) => status > 0 && status < 500,
    { within: readMs, what: 'an answer of the service after its restart' },
  )
  if (answer.status === 0) context.skip(`it did not answer again in ${readMs / 1000} s`)
  context.note(answersAgain, 'the service')
}

/**
 * An order that a Software Service has read, whose confirmation and the acknowledgment of whose events fail until it goes
 * on: after a restart polls bring them again.
 */
async function openOrder(context: ProcedureContext) {
  if (context.role !== 'software-service' || !context.capabilities.includes('orders'))
    return undefined
  const { orderId } = await context.createOrder({ type: 'DELIVERY' })
  const operations = ['confirmOrder', 'acknowledgeEvents']
  const goOn = context.fault({ fail: { operation: operations, order: orderId } })
  await context.until(() => hasCalled(context, 'confirmOrder', orderId))
  return { orderId, goOn }
}

async function publish(context: ProcedureContext, publication: Publication): Promise<boolean> {
  const known = context.observed().filter(isManifestRead).length
  await context.configure([{ path: ['conduct', 'publishManifest'], value: publication }])
  await context.bringAbout({ note: beginsAnew, text: publication }, async () => {
    if (publication === 'hidden') await restart(context)
  })
  const read = await context.until(() => context.observed().filter(isManifestRead).length > known, {
    within: readMs,
  })
  return read === true
}

/** While our manifests are missing, invalid or of another version; then they are valid. */
export const beginAnew = defineProcedure({
  name: 'begin-anew',
  about:
    'restarts the service while our manifests are missing, then invalid, then of another version',
  roles,
  actions: ['a restart of the service', 'a DELIVERY order'],
  changes: 'a restart of the service, and three DELIVERY orders',
  async run(context) {
    const stimulate = createStimulus(context)
    const open = await openOrder(context)
    for (const publication of ['hidden', 'invalid', 'other-version'] as const) {
      if (!(await publish(context, publication)))
        context.skip(`it did not read our manifest again in ${readMs / 1000} s`)
      // Something to do, which has to wait.
      if (publication !== 'invalid') await stimulate()
      await context.sleep(watchedMs)
    }
    open?.goOn()
    await publish(context, 'valid')
    await context.until(() => context.observed().some(isBusinessCall), { within: readMs })
    if (!open) return
    const { orderId } = open
    await context.until(() => hasCalled(context, 'confirmOrder', orderId, 202), {
      within: readMs,
    })
    context.note('open-at-restart', orderId)
  },
})

=======
>>>>>>> certify: keep what checks read apart from procedures of transport
/** A call that needs an active integration: neither discovery nor a token nor the merchants. */
export const isBusinessCall = ({ isCall, operation: id }: Observed): boolean =>
  isCall && id !== undefined && !['discovery', 'auth'].includes(operation(id).capability)

/** Why a manifest that we have answered is of no use; undefined for a good one. */
function defectOfManifest({
  status,
  reply,
}: Observed): 'missing' | 'invalid' | 'version' | undefined {
  if (status !== 200) return 'missing'
  const parsed = parseManifest(reply)
  if (!parsed.ok) return 'invalid'
  return parsed.value.versions.some((version) => majorVersionOf(version) === 2)
    ? undefined
    : 'version'
}

/** Since it began anew the service calls only hosts whose manifest is of use. */
const noCallWithout = (kinds: readonly string[]): Assertion =>
  function* (trace: Trace) {
    const begin = trace.notes(beginsAnew)[0]?.after
    if (begin === undefined) return
    const calls = trace.calls().filter(({ exchange }) => exchange.seq > begin)
    for (const host of roles) {
      const toHost = calls.filter(({ exchange }) => exchange.to.role === host)
      const reads = toHost.filter(readsManifest)
      for (const [index, read] of reads.entries()) {
        const kind = defectOfManifest(read)
        const isActive = reads.slice(0, index).some((each) => defectOfManifest(each) === undefined)
        if (kind === undefined || isActive || !kinds.includes(kind)) continue
        const next = reads[index + 1]?.exchange.seq ?? Infinity
        const call = toHost.find(
          (each) =>
            isBusinessCall(each) &&
            each.exchange.seq > read.exchange.seq &&
            each.exchange.seq < next,
        )
        yield observation(
          [read, ...(call ? [call] : [])],
          call && `it calls ${call.operation} at the ${host}, whose manifest is ${texts[kind]}`,
        )
      }
    }
  }

const texts = {
  missing: 'missing',
  invalid: 'invalid',
  version: 'of a version that it does not know',
}

export const beginAnewChecks = defineChecks(
  { roles, procedures: ['introduction', 'begin-anew'] },
  {
    'DIS-GEN-02': {
      assertion: noCallWithout(['missing', 'invalid']),
      remedy: 'Read the manifest first, and call nothing while it is missing or invalid.',
    },
    'MIG-VER-03': {
      assertion: noCallWithout(['version']),
      remedy:
        'Compare the versions in the manifest with your own, and call nothing without a common one.',
    },
  },
)
