/** `sparring certify`: checks a service against every clause that binds its role, and verifies what it has written. */
import {
  certifyArguments,
  certifyFlags,
  certifyGroups,
  verifyArguments,
  verifyFlags,
} from './certify-flags.ts'
import { defineVerb, defineVerbGroup } from '../../terminal/cli/verb.ts'

const service = defineVerb({
  name: 'service',
  summary: 'certify a service (the default)',
  arguments: certifyArguments,
  flags: certifyFlags,
  groups: certifyGroups,
  details: `
Sparring plays the counterparts of the service, carries out procedures (calls to it, orders and events, what only its operator can
do), and judges the traffic by the clauses of the protocol: passed, failed, warning (a SHOULD, or what the documents leave open),
skipped (and why), or to be attested by a person.

Orders that only the service can create, and its own cancellations, are asked for: by the command of --setup, by a POST to the
paths of subject.asks, or by a sentence on the terminal, which waits two minutes and can be skipped.

Examples:
  sparring certify http://127.0.0.1:3000 --as software-service
  sparring certify http://127.0.0.1:3000 --as crm --only CUS,LOY --reporter html=certification.html
  sparring certify http://127.0.0.1:3000 --as ordering-application --plan
  sparring certify http://127.0.0.1:3000 --as ordering-application --setup './create-order.sh'
  sparring certify http://127.0.0.1:3000 --as delivery-platform --bundle certification.tar
  sparring certify verify certification.tar

Exits with 0 when no clause of a MUST is violated, 1 when one is, 2 when a flag or a file is wrong or an output is not whole, 3 when
the service cannot be reached, goes away or refuses our credentials, 130 when interrupted; what was seen until then is reported.`,
  run: async (options, io) => (await import('./run-certify.ts')).runCertify(options, io),
})

const verify = defineVerb({
  name: 'verify',
  summary: 'verify a bundle: its bytes, and its verdicts from its recording',
  arguments: verifyArguments,
  flags: verifyFlags,
  details: `
Example:
  sparring certify verify certification.tar

Exits with 0 when every byte is as it was written and the recording gives the same verdicts, 1 when not, 2 when the file cannot be
read or was written by another version.`,
  run: async (options, io) => (await import('./run-verify.ts')).runVerify(options, io),
})

export const certifyVerb = defineVerbGroup({
  name: 'certify',
  summary: 'check a service against every clause that binds its role, with evidence',
  showsDefault: true,
  verbs: [service, verify],
})
