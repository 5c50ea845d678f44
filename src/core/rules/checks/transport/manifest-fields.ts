/** Checks of the fields of a manifest that all roles share: DIS-FLD, DIS-TEN, AUT-CRE, MIG-VER. */
import { roles } from '../../../protocol/role.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { majorVersionOf } from '../../../protocol/version.ts'
import { defineChecks, type Rows, rowsOf } from '../check.ts'
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
} from '../assertion.ts'
import { inReaders, whyUnread } from './begin-anew.ts'
import { capabilitiesIn, manifestReads, versionsIn } from './manifests.ts'

export const listOfTexts: ValueTest = body(isArrayValue, optional('/*', isText))
export const nonEmptyListOfTexts: ValueTest = (value) =>
  Array.isArray(value) && value.length === 0 ? 'it is an empty list' : listOfTexts(value)

export const isAbsoluteUrl: ValueTest = (value) =>
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

const fields: Rows<ValueTest> = {
  'DIS-FLD-02': [
    required('/protocolVersion', isText),
    'Write the version of the protocol into protocolVersion, as a text.',
  ],
  'DIS-FLD-03': [
    required('/capabilities', (value) =>
      Array.isArray(value) || isUnknownRecord(value)
        ? undefined
        : 'it is neither a list nor an object',
    ),
    'List the capabilities in capabilities.',
  ],
  'DIS-FLD-04': [
    body(ofEntries('name', isText), namesAreUnique),
    'Give each capability its name, and declare it once.',
  ],
  'DIS-FLD-05': [
    body(ofEntries('role', isText), ofBlocks('role', isOneOf('ORIGINATOR', 'RECEIVER', 'BOTH'))),
    'Give each capability the role ORIGINATOR, RECEIVER or BOTH.',
  ],
  'DIS-FLD-06': [
    body(ofEntries('operations', listOfTexts), ofBlocks('operations', listOfTexts)),
    'List the names of the operations of each capability in operations.',
  ],
  'DIS-FLD-07': [
    ofBlocks('extensions', listOfTexts),
    'Write extensions as a list of names, or leave it out.',
  ],
  'DIS-FLD-08': [
    ofBlocks('endpoint', isAbsoluteUrl),
    'Write endpoint as an absolute URL, or leave it out.',
  ],
  'DIS-FLD-09': [
    optional('/compatibility', isText),
    'Write compatibility as a text, or leave it out.',
  ],
  'DIS-FLD-10': [
    required('/protocol/supportedVersions', nonEmptyListOfTexts),
    'List the versions of the protocol in protocol.supportedVersions.',
  ],
  'DIS-FLD-11': [
    required('/authentication/supportedGrantTypes', nonEmptyListOfTexts),
    'List the grant types in authentication.supportedGrantTypes.',
  ],
  'DIS-FLD-12': [
    body(
      required('/authentication/clientIdGeneration', nonEmptyListOfTexts),
      optional('/authentication/clientIdGeneration/*', isOneOf('by_app', 'by_merchant')),
    ),
    'List by_app, by_merchant or both in authentication.clientIdGeneration.',
  ],
  'AUT-CRE-03': [
    (manifest) => {
      const grants = bodyValue(manifest, '/authentication/supportedGrantTypes')
      return Array.isArray(grants) &&
        grants.includes('authorization_code') &&
        !grants.includes('client_credentials')
        ? 'authorization_code is declared without client_credentials'
        : undefined
    },
    'Declare client_credentials beside authorization_code.',
  ],
  'MIG-VER-01': [
    (manifest) =>
      versionsIn(manifest).some((version) => (majorVersionOf(version) ?? 0) >= 2)
        ? undefined
        : 'it does not declare V2',
    'Declare V2 in protocol.supportedVersions.',
  ],
}

/** Capabilities are in one of the two notations. */
const hasNotation: ValueTest = (manifest) => {
  const list = bodyValue(manifest, '/capabilities')
  const blocks = capabilitiesIn(manifest)
  const count = Array.isArray(list) ? list.length : Object.keys(list ?? {}).length
  return blocks.length > 0 && blocks.length === count
    ? undefined
    : 'capabilities is neither a list of entries nor an object of blocks'
}

export const manifestFieldChecks = defineChecks(
  { roles, procedures: ['introduction'] },
  rowsOf(fields, (test) => each(manifestReads, replyIs(test))),
  {
    'DIS-TEN-01': {
      assertion: inReaders(each(manifestReads, replyIs(hasNotation))),
      whyUnobserved: whyUnread,
      remedy: 'Declare capabilities as a list of entries, or as an object with a block for each.',
    },
  },
)
