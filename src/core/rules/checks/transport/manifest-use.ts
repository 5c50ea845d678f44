/**
 * Checks of whether a manifest says what the service does: DIS-ORD-03, DIS-ORD-04, DIS-EVT, DIS-UND, DIS-IND-04,
 * MIG-ACP.
 */
import { operation, operations, operationsHostedBy } from '../../../protocol/catalogue.ts'
import type { Operation } from '../../../protocol/operation.ts'
import { receiverOperationNames } from '../../../protocol/orders/operations.ts'
import { type Role, roles } from '../../../protocol/role.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../protocol/unknown-record.ts'
import { defineChecks, type Assertion, type Observation } from '../check.ts'
import { bodyValue, every, isBoolean, notice, optional, observation } from '../assertion.ts'
import { wordIn } from '../document-form.ts'
import type { ObservedEvent, Trace } from '../trace.ts'
import { listOfTexts } from './manifest-fields.ts'
import {
  capabilitiesIn,
  capabilityIn,
  eachBlock,
  lastManifest,
  manifestReads,
  operationNamesIn,
} from './manifests.ts'
import { isUnserved } from './error-body.ts'

const roleBlocks = ['originator', 'receiver'] as const

/** The block of a role that declares events. */
const eventBlockIn = (block: UnknownRecord): UnknownRecord | undefined =>
  roleBlocks
    .map((role) => block[role])
    .filter(isUnknownRecord)
    .find((one) => 'supportedEvents' in one)

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : []

/** Each event is among the supported ones of its capability, on a channel that is declared. */
function* eventsAreDeclared(
  trace: Trace,
  problemOf: (event: ObservedEvent, block: UnknownRecord) => string | undefined,
): Iterable<Observation> {
  const manifest = lastManifest(trace)
  for (const event of trace.emitted()) {
    const { operation: id } = event.observed
    const capability = id && operation(id).capability
    const declared = capability && capabilityIn(manifest, capability)
    const block = declared && eventBlockIn(declared.block)
    const type = event.eventType ?? ''
    const isNamed = wordIn(trace, 'getManifest', 'reply', 'supportedEvents', type) !== undefined
    if (block && isNamed) yield observation([event.observed], problemOf(event, block))
  }
}

const isSupported = ({ eventType }: ObservedEvent, block: UnknownRecord): string | undefined =>
  textsIn(block['supportedEvents']).includes(String(eventType))
    ? undefined
    : `it emits ${eventType}, which it does not declare in supportedEvents`

function isOnDeclaredChannel(
  { observed }: ObservedEvent,
  block: UnknownRecord,
): string | undefined {
  const flag = observed.isCall ? 'supportsWebhook' : 'supportsPolling'
  return block[flag] === false ? `it emits events, although ${flag} is false` : undefined
}

/** Names by which an operation is declared. */
const declaredNamesOf = ({ id, declaredAs }: Operation): readonly string[] => [id, declaredAs ?? id]

const namesOf = (role: Role): ReadonlySet<string> =>
  new Set(
    operations.flatMap((row) =>
      row.hosts.includes(role) || row.callers.includes(role) ? declaredNamesOf(row) : [],
    ),
  )

const allNames: ReadonlySet<string> = new Set(operations.flatMap(declaredNamesOf))

/** Whether the path names nothing whose absence would explain a 404. */
const hasNoParameter = ({ path }: Operation): boolean => !path.includes('{')

/** What the service declares and serves has to be there. */
const declaredIsServed: Assertion = function* (trace) {
  const manifest = lastManifest(trace)
  for (const { name, block } of capabilitiesIn(manifest)) {
    const names = operationNamesIn(block)
    const rows = operationsHostedBy(trace.role).filter(
      (row: Operation) =>
        row.capability === name && declaredNamesOf(row).some((one) => names.includes(one)),
    )
    for (const declaredName of new Set(rows.map((row: Operation) => row.declaredAs ?? row.id))) {
      const ofName = rows.filter((row: Operation) => (row.declaredAs ?? row.id) === declaredName)
      const observed = ofName.flatMap((row) =>
        trace
          .answers(row.id)
          .filter(
            ({ status, exchange }) =>
              exchange.fault === undefined &&
              status > 0 &&
              (hasNoParameter(row) || !isUnserved({ status })),
          ),
      )
      if (observed.length === 0) continue
      const served = observed.find(({ status }) => !isUnserved({ status }))
      yield observation(
        [served ?? observed[0]].flatMap((one) => (one ? [one] : [])),
        !served && `it declares ${declaredName} and answers ${observed[0]?.status} to it`,
      )
    }
  }
}

/** Calls of an Orders receiver are those that it declares. */
const callsAreDeclared: Assertion = function* (trace) {
  const declared = capabilityIn(lastManifest(trace), 'orders')
  const receiver = declared?.block['receiver']
  if (!isUnknownRecord(receiver)) return
  const unsupported = textsIn(receiver['unsupportedOperations'])
  for (const call of trace.calls()) {
    if (call.operation === undefined) continue
    const name = (operation(call.operation) as Operation).declaredAs ?? call.operation
    if (receiverOperationNames.some((one) => one === name))
      yield observation(
        [call],
        unsupported.includes(name) && `it calls ${name}, which it declares as unsupported`,
      )
  }
}

const producers: readonly Role[] = ['ordering-application', 'software-service', 'delivery-platform']

export const manifestUseChecks = defineChecks(
  { roles: ['software-service'], needs: ['orders'], procedures: ['introduction', 'activity'] },
  {
    'DIS-ORD-03': {
      roles: ['ordering-application'],
      assertion: every(
        eachBlock(
          'orders',
          ({ originator }) =>
            optional('/supportedEvents', listOfTexts)(originator) ??
            optional('/unsupportedEvents', listOfTexts)(originator),
          'originator',
        ),
        (trace) =>
          eventsAreDeclared(trace, (event, block) =>
            event.observed.operation === 'pollingEvents' ||
            event.observed.operation === 'receiveOrderEvent'
              ? isSupported(event, block)
              : undefined,
          ),
      ),
      remedy: 'List in supportedEvents every event of Orders that you emit.',
    },
    'DIS-ORD-04': {
      assertion: every(
        eachBlock(
          'orders',
          ({ receiver }) => {
            const names = textsIn(bodyValue(receiver, '/supportedOperations'))
            const other = names.find((name) => !receiverOperationNames.some((one) => one === name))
            return other === undefined ? undefined : `${other} is none of the nine operations`
          },
          'receiver',
        ),
        callsAreDeclared,
      ),
      remedy:
        'Declare in the receiver block those of the nine operations that you call, and call no other.',
    },
    'DIS-EVT-01': {
      needs: [],
      roles: producers,
      procedures: ['introduction', 'activity'],
      assertion: every(
        function* (trace) {
          for (const read of manifestReads(trace))
            for (const { name, block } of capabilitiesIn(read.reply)) {
              const events = eventBlockIn(block)
              const problem =
                events &&
                (optional('/supportedEvents', listOfTexts)(events) ??
                  optional('/supportsWebhook', isBoolean)(events) ??
                  optional('/supportsPolling', isBoolean)(events))
              if (events)
                yield observation(
                  [read],
                  problem && `its manifest declares ${name} wrongly: ${problem}`,
                )
            }
        },
        (trace) =>
          eventsAreDeclared(
            trace,
            (event, block) => isSupported(event, block) ?? isOnDeclaredChannel(event, block),
          ),
      ),
      remedy:
        'Declare the events that you emit in supportedEvents, and their channels in supportsWebhook and supportsPolling.',
    },
    'DIS-UND-03': {
      needs: [],
      roles,
      procedures: ['introduction'],
      assertion: function* (trace) {
        const own = namesOf(trace.role)
        for (const read of manifestReads(trace))
          for (const { name, block } of capabilitiesIn(read.reply)) {
            const foreign = operationNamesIn(block).find((one) => !own.has(one))
            yield observation(
              [read],
              foreign !== undefined &&
                notice(
                  allNames.has(foreign)
                    ? `it declares ${foreign} in ${name}, which its role neither serves nor calls`
                    : `it declares ${foreign} in ${name}, which is no operation of the protocol`,
                ),
            )
          }
      },
      remedy: 'Declare the operations that you serve or call, by the names of the protocol.',
    },
    'DIS-IND-04': {
      needs: ['indoor'],
      procedures: ['introduction'],
      assertion: every(
        eachBlock('indoor', optional('/usesAccountId', isBoolean)),
        function* (trace) {
          if (capabilityIn(lastManifest(trace), 'indoor')?.block['usesAccountId'] !== true) return
          for (const read of trace.answers('getAccount')) {
            if (read.status !== 200) continue
            const id = bodyValue(read.reply, '/accountId')
            yield observation([read], typeof id !== 'string' && 'its account has no accountId')
          }
        },
      ),
      remedy:
        'Write usesAccountId as true or false, and give accounts an accountId where it is true.',
    },
    'MIG-ACP-01': {
      needs: [],
      roles,
      procedures: ['introduction', 'activity', 'access'],
      assertion: every(declaredIsServed, callsAreDeclared, (trace) =>
        eventsAreDeclared(trace, isSupported),
      ),
      remedy: 'Derive the manifest from what you serve, call and emit.',
    },
  },
)
