/** Checks of the fields of a manifest that all roles share: DIS-FLD, DIS-TEN, AUT-CRE, MIG-VER. */
import { roles } from '../../../core/protocol/role.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { majorVersionOf } from '../../../core/protocol/version.ts'
import type { Check } from '../../judge/check.ts'
import {
  body,
  bodyValue,
  each,
  isArrayValue,
  isOneOf,
  isText,
  optional,
  replyIs,
  required,
  type ValueTest,
  valuesAt,
} from '../../judge/assertion.ts'
import { capabilitiesIn, manifestReads, versionsIn } from './manifests.ts'

export const listOfTexts: ValueTest = body(isArrayValue, optional('/*', isText))
export const nonEmptyListOfTexts: ValueTest = (value) =>
  Array.isArray(value) && value.length === 0 ? 'it is an empty list' : listOfTexts(value)

/** One field of the manifest. */
interface FieldRow {
  readonly clauses: Check['clauses']
  readonly test: ValueTest
  readonly remedy: string
}

const isAbsoluteUrl: ValueTest = (value) =>
  typeof value === 'string' && URL.canParse(value)
    ? undefined
    : `${JSON.stringify(value)} is no absolute URL`

const namesAreUnique: ValueTest = (manifest) => {
  const names = valuesAt(manifest, '/capabilities/*/name').map(({ value }) => String(value))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : `${twice} is declared twice`
}

/** Every entry of a list of capabilities has the field; a keyed object need not. */
const ofEntries =
  (name: string, test: ValueTest): ValueTest =>
  (manifest) =>
    Array.isArray(bodyValue(manifest, '/capabilities'))
      ? required(`/capabilities/*/${name}`, test)(manifest)
      : undefined

/** The field of each capability where it is present, in both notations. */
const ofBlocks =
  (name: string, test: ValueTest): ValueTest =>
  (manifest) => {
    for (const declared of capabilitiesIn(manifest)) {
      const problem = optional(`/${name}`, test)(declared.block)
      if (problem !== undefined) return `${declared.name}${problem}`
    }
    return undefined
  }

const fields: readonly FieldRow[] = [
  {
    clauses: ['DIS-FLD-02'],
    test: required('/protocolVersion', isText),
    remedy: 'Write the version of the protocol into protocolVersion, as a text.',
  },
  {
    clauses: ['DIS-FLD-03'],
    test: required('/capabilities', (value) =>
      Array.isArray(value) || isUnknownRecord(value)
        ? undefined
        : 'it is neither a list nor an object',
    ),
    remedy: 'List the capabilities in capabilities.',
  },
  {
    clauses: ['DIS-FLD-04'],
    test: body(ofEntries('name', isText), namesAreUnique),
    remedy: 'Give each capability its name, and declare it once.',
  },
  {
    clauses: ['DIS-FLD-05'],
    test: body(
      ofEntries('role', isText),
      ofBlocks('role', isOneOf('ORIGINATOR', 'RECEIVER', 'BOTH')),
    ),
    remedy: 'Give each capability the role ORIGINATOR, RECEIVER or BOTH.',
  },
  {
    clauses: ['DIS-FLD-06'],
    test: body(ofEntries('operations', listOfTexts), ofBlocks('operations', listOfTexts)),
    remedy: 'List the names of the operations of each capability in operations.',
  },
  {
    clauses: ['DIS-FLD-07'],
    test: ofBlocks('extensions', listOfTexts),
    remedy: 'Write extensions as a list of names, or leave it out.',
  },
  {
    clauses: ['DIS-FLD-08'],
    test: ofBlocks('endpoint', isAbsoluteUrl),
    remedy: 'Write endpoint as an absolute URL, or leave it out.',
  },
  {
    clauses: ['DIS-FLD-09'],
    test: optional('/compatibility', isText),
    remedy: 'Write compatibility as a text, or leave it out.',
  },
  {
    clauses: ['DIS-FLD-10'],
    test: required('/protocol/supportedVersions', nonEmptyListOfTexts),
    remedy: 'List the versions of the protocol in protocol.supportedVersions.',
  },
  {
    clauses: ['DIS-FLD-11'],
    test: required('/authentication/supportedGrantTypes', nonEmptyListOfTexts),
    remedy: 'List the grant types in authentication.supportedGrantTypes.',
  },
  {
    clauses: ['DIS-FLD-12'],
    test: body(
      required('/authentication/clientIdGeneration', nonEmptyListOfTexts),
      optional('/authentication/clientIdGeneration/*', isOneOf('by_app', 'by_merchant')),
    ),
    remedy: 'List by_app, by_merchant or both in authentication.clientIdGeneration.',
  },
  {
    clauses: ['AUT-CRE-03'],
    test: (manifest) => {
      const grants = bodyValue(manifest, '/authentication/supportedGrantTypes')
      return Array.isArray(grants) &&
        grants.includes('authorization_code') &&
        !grants.includes('client_credentials')
        ? 'authorization_code is declared without client_credentials'
        : undefined
    },
    remedy: 'Declare client_credentials beside authorization_code.',
  },
  {
    clauses: ['DIS-TEN-01'],
    test: (manifest) => {
      const list = bodyValue(manifest, '/capabilities')
      const blocks = capabilitiesIn(manifest)
      const count = Array.isArray(list) ? list.length : Object.keys(list ?? {}).length
      return blocks.length > 0 && blocks.length === count
        ? undefined
        : 'capabilities is neither a list of entries nor an object of blocks'
    },
    remedy: 'Declare capabilities as a list of entries, or as an object with a block for each.',
  },
  {
    clauses: ['MIG-VER-01'],
    test: (manifest) =>
      versionsIn(manifest).some((version) => (majorVersionOf(version) ?? 0) >= 2)
        ? undefined
        : 'it does not declare V2',
    remedy: 'Declare V2 in protocol.supportedVersions.',
  },
]

export const manifestFieldChecks: readonly Check[] = fields.map(
  ({ clauses, test, remedy }): Check => ({
    clauses,
    roles,
    procedures: ['introduction'],
    assertion: each(manifestReads, replyIs(test)),
    remedy,
  }),
)
