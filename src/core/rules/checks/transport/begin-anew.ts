/** A service that begins anew while our manifests are of no use: DIS-GEN-02, MIG-VER-03. */
import { operation } from '../../../protocol/catalogue.ts'
import { parseManifest } from '../../../protocol/discovery/parse-manifest.ts'
import { roles } from '../../../protocol/role.ts'
import { majorVersionOf } from '../../../protocol/version.ts'
import { defineChecks, type Assertion } from '../check.ts'
import { every, notice, observation } from '../assertion.ts'
import { answersAgain, beginsAnew } from '../blameless.ts'
import { keptWhere } from '../live.ts'
import type { Observed, Trace } from '../trace.ts'

export const readsManifest = ({ isCall, operation: id }: Observed): boolean =>
  isCall && id === 'getManifest'

/** A call that needs an active integration: neither discovery nor a token nor the merchants. */
export const isBusinessCall = ({ isCall, operation: id }: Observed): boolean =>
  isCall && id !== undefined && !['discovery', 'auth'].includes(operation(id).capability)

/** Keeping to a clause about manifests is also to read them: it is not judged in a client of which no read is known. */
export const inReaders = (assertion: Assertion): Assertion =>
  keptWhere(
    assertion,
    (trace) => trace.calls('getManifest').length > 0 || !trace.calls().some(isBusinessCall),
  )
export const whyUnread =
  'it makes calls, and reads no manifest of ours: it may have read them before'

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

/** After a restart it calls a host of which it has read no manifest; it may have kept one of an earlier session. */
const callsUnread: Assertion = function* (trace) {
  const begin = trace.notes(answersAgain)[0]?.after
  if (begin === undefined) return
  for (const host of roles) {
    const toHost = trace.calls().filter(({ exchange }) => exchange.to.role === host)
    const call = toHost.find(
      (each) =>
        isBusinessCall(each) && each.exchange.seq > begin && each.exchange.fault === undefined,
    )
    if (call && !toHost.some(readsManifest))
      yield observation(
        [call],
        notice(`it calls ${call.operation} at the ${host}, whose manifest it has never read`),
      )
  }
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
      assertion: every(noCallWithout(['missing', 'invalid']), callsUnread),
      remedy: 'Read the manifest first, and call nothing while it is missing or invalid.',
    },
    'MIG-VER-03': {
      assertion: noCallWithout(['version']),
      remedy:
        'Compare the versions in the manifest with your own, and call nothing without a common one.',
    },
  },
)
