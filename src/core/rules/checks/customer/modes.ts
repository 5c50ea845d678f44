/** Checks of push and pull: CUS-GEN-06, CUS-GEN-10, CUS-FLW-08. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { recordKinds, type RecordKind } from '../../../protocol/customer/batch.ts'
import { pullOperations, pushOperations } from '../../../engine/customer/partner.ts'
import { defineChecks, type Assertion } from '../check.ts'
import { observation } from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { ofCrm, ofApplication, ofCustomer } from './assertions.ts'
import { operationNamesIn } from '../transport/manifests.ts'
import { customerBlockIn, integrationModes, manifestsAt } from './manifest.ts'
import { containsText, sharedRecords, notesOf } from './records.ts'
import { factProcedures } from './facts.ts'

const allPushes: readonly OperationId[] = recordKinds.flatMap((kind) =>
  Object.values(pushOperations[kind]),
)
const allPulls: readonly OperationId[] = recordKinds.flatMap((kind) =>
  Object.values(pullOperations[kind]),
)

/** Push and pull, as declared, or as the declared operations say. */
function modesOf(
  trace: Trace,
): { readonly manifest: Observed; readonly modes: readonly string[] } | undefined {
  const [manifest] = manifestsAt(trace, 'customer-operations/manifest')
  const block = customerBlockIn(manifest?.reply)
  if (!manifest || !block) return undefined
  const names = operationNamesIn(block)
  const [prefix, mode] =
    trace.role === 'crm' ? [/^(upsert|ingest)/, 'push'] : [/^(list|get)/, 'pull']
  const derived = names.some((name) => prefix.test(name)) ? [mode] : []
  return { manifest, modes: integrationModes(manifest.reply) ?? derived }
}

const notFoundAnywhere = (calls: readonly Observed[]): boolean =>
  calls.length > 0 && calls.every(({ status }) => status === 404)

/**
 * Each mode that is declared is used: by the Ordering Application as the one that pushes, by the CRM as the one that
 * pulls.
 */
const modesAreUsed: Assertion = function* (trace) {
  const declared = modesOf(trace)
  if (!declared) return
  const { manifest, modes } = declared
  const isCrm = trace.role === 'crm'
  for (const mode of ['push', 'pull'].filter((each) => modes.includes(each))) {
    const isHost = (mode === 'push') === isCrm
    const operations = mode === 'push' ? allPushes : allPulls
    if (isHost) {
      const calls = operations.flatMap((id) => trace.at(`customer-operations/${id}`))
      yield observation(
        [manifest, ...calls.slice(0, 2)],
        notFoundAnywhere(calls) && `it declares ${mode} and serves none of its operations`,
      )
      continue
    }
    const wasThere = isCrm
      ? trace.at('customer-pulls').length > 0
      : notesOf(trace, ['customer-orders'], 'order-created').length > 0
    const calls = trace.calls(...operations)
    if (wasThere)
      yield observation(
        [manifest, ...calls.slice(0, 2)],
        calls.length === 0 && `it declares ${mode} and makes none of its calls`,
      )
  }
}

/**
 * Profiles, leads and reviews come to a partner that declares no Orders: our CRM. The documents have no field for the text of
 * the note in a lead or a review, so that each one that is pushed from then on is an occasion, and each that is new in a list.
 */
const sharesWithoutOrders: Assertion = function* (trace) {
  const rows: readonly (readonly [string, RecordKind])[] = [
    ['customer-created', 'customer'],
    ['lead-created', 'lead'],
    ['review-created', 'review'],
  ]
  for (const [name, kind] of rows)
    for (const note of notesOf(trace, factProcedures, name)) {
      const shared = sharedRecords(trace, kind)
      const later = shared.filter(({ observed }) => observed.exchange.seq > note.after)
      const known = new Set(
        shared.flatMap((each) => (later.includes(each) ? [] : [each.record['id']])),
      )
      const found =
        shared.find(({ record }) => containsText(record, note.text)) ??
        later.find(({ observed, record }) => observed.isCall || !known.has(record['id']))
      if (found || later.length === 0)
        yield observation(
          found ? [found.observed] : [],
          !found && `it neither pushes nor lists a ${kind} for a partner that declares no Orders`,
        )
    }
}

/** In pull mode, each query that it declares has its path. */
const queriesAreExposed: Assertion = function* (trace) {
  const declared = modesOf(trace)
  if (!declared?.modes.includes('pull')) return
  const names = operationNamesIn(customerBlockIn(declared.manifest.reply) ?? {})
  for (const { flow, binding } of [pullOperations.customer, pullOperations.order]) {
    const calls = [flow, binding].flatMap((id) => trace.at(`customer-operations/${id}`))
    if (calls.length > 0 && [flow, binding].some((name) => names.includes(name)))
      yield observation(
        calls,
        notFoundAnywhere(calls) && `it declares pull and ${flow}, and does not find it`,
      )
  }
}

export const modeChecks = defineChecks(
  { ...ofApplication, procedures: ['own-leads'] },
  {
    'CUS-GEN-06': {
      assertion: sharesWithoutOrders,
      remedy: 'Share profiles, leads and reviews with a partner that declares no Orders as well.',
    },
    'CUS-GEN-10': {
      procedures: ['customer-operations', 'customer-orders'],
      assertion: modesAreUsed,
      remedy: 'Push where you declare push, and serve queries where you declare pull.',
    },
  },
  {
    'CUS-GEN-10': {
      ...ofCrm,
      procedures: ['customer-operations', 'customer-pulls'],
      assertion: modesAreUsed,
      remedy: 'Serve ingests where you declare push, and query where you declare pull.',
    },
    'CUS-FLW-08': {
      ...ofCustomer,
      procedures: ['customer-operations'],
      assertion: queriesAreExposed,
      remedy: 'Serve each query that you declare, where you declare pull.',
    },
  },
)
