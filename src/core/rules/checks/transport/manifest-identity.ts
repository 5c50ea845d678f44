/** Checks of what a manifest says of the participant: its identifier, versions and base URLs. */
import { isLacking } from '../form-notes.ts'
import { roles } from '../../../protocol/role.ts'
import { majorVersionOf } from '../../../protocol/version.ts'
import { defineChecks } from '../check.ts'
import {
  advisory,
  body,
  bodyValue,
  each,
  isBoolean,
  isText,
  optional,
  replyIs,
  required,
  observation,
  type ValueTest,
  valuesAt,
} from '../assertion.ts'
import type { Trace } from '../trace.ts'
import { nonEmptyListOfTexts } from './manifest-fields.ts'
import {
  capabilityIn,
  inEachBlock,
  lastManifest,
  manifestReads,
  manifestsWith,
} from './manifests.ts'

/** The identifier is a text, that of no other participant, and the same in every read. */
function* participantIds(trace: Trace) {
  const reads = manifestReads(trace)
  const ours = trace.calls('getManifest').map(({ reply }) => bodyValue(reply, '/participantId'))
  const first = bodyValue(reads[0]?.reply, '/participantId')
  for (const read of reads) {
    const id = bodyValue(read.reply, '/participantId')
    const problem =
      typeof id !== 'string' || id === ''
        ? 'its manifest has no participantId'
        : ours.includes(id)
          ? `it calls itself ${id}, as another participant does`
          : id === first
            ? undefined
            : `it calls itself ${String(first)} and then ${id}`
    yield observation([read], problem)
  }
}

const protocolVersionIsSupported: ValueTest = (manifest) => {
  const version = String(bodyValue(manifest, '/protocolVersion'))
  const major = majorVersionOf(version)
  const supported = valuesAt(manifest, '/protocol/supportedVersions/*').map(({ value }) =>
    String(value),
  )
  return supported.some((one) => one === version || majorVersionOf(one) === major)
    ? undefined
    : `protocolVersion ${version} is not among its supported versions`
}

const urlsAgree = inEachBlock(({ name, block }) => {
  const { endpoint, baseUrl } = block
  const trimmed = (url: unknown): string => String(url).replace(/\/+$/, '')
  return endpoint !== undefined && baseUrl !== undefined && trimmed(endpoint) !== trimmed(baseUrl)
    ? `endpoint and baseUrl differ in ${name}`
    : undefined
})

const merchantFlags = ['supported', 'supportsPartialUpdate', 'supportsFullGetByOriginator'] as const

export const manifestIdentityChecks = defineChecks(
  { roles, procedures: ['introduction'] },
  {
    'DIS-FLD-01': {
      assertion: participantIds,
      remedy: 'Give your service one participantId of its own, and keep it.',
    },
    'DIS-FLD-13': {
      assertion: each(
        manifestReads,
        advisory(
          inEachBlock(({ name, block }) =>
            name === 'merchant'
              ? body(...merchantFlags.map((flag) => optional(`/${flag}`, isBoolean)))(block)
              : undefined,
          ),
        ),
      ),
      remedy: 'Write the three fields of capabilities.merchant as true or false.',
    },
    'DIS-TEN-02': {
      roles: ['ordering-application', 'software-service', 'crm'],
      assertion: each(manifestReads, urlsAgree),
      remedy: 'Write one URL into endpoint and baseUrl where you declare both.',
    },
  },
  {
    'DIS-TEN-02': {
      roles: ['delivery-platform'],
      assertion: function* (trace) {
        yield* each(manifestReads, urlsAgree)(trace)
        for (const read of manifestsWith('logistics')(trace)) {
          const block = capabilityIn(read.reply, 'logistics')?.block
          const hasUrl =
            block && ('baseUrl' in block || 'endpoint' in block || isLacking(block, 'baseUrl'))
          yield observation([read], !hasUrl && 'logistics has neither baseUrl nor endpoint')
        }
      },
      remedy:
        'Declare the base URL of Logistics in baseUrl, and the same in endpoint if you write both.',
    },
    'MIG-VER-02': {
      assertion: function* (trace) {
        const stated = body(
          required('/protocolVersion', isText),
          required('/protocol/supportedVersions', nonEmptyListOfTexts),
        )
        yield* each(manifestReads, replyIs(stated))(trace)
        if (stated(lastManifest(trace)) === undefined)
          yield* each(manifestReads, advisory(replyIs(protocolVersionIsSupported)))(trace)
      },
      remedy: 'State protocolVersion, and list it in protocol.supportedVersions.',
    },
  },
)
