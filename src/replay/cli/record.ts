/** `sparring record`: a recording proxy between the user's service and a real partner. */
import { defineVerb } from '../../terminal/cli/verb.ts'
import { recordFlags, recordGroups } from './record/record-flags.ts'

export const recordVerb = defineVerb({
  name: 'record',
  summary: 'record the traffic between your service and a real partner, as a proxy',
  arguments: [],
  flags: recordFlags,
  groups: recordGroups,
  details: `
Your service calls the address that the readiness line shows for the partner; a partner that sends webhooks calls the
address shown for your service. Messages pass through unchanged except for the Host header; a redacted copy is recorded.

Examples:
  sparring record --to https://sandbox.partner.example --as software-service
  sparring record --to https://sandbox.partner.example --as software-service --subject http://127.0.0.1:3000
  sparring record --to http://127.0.0.1:7101 --as software-service --port 7200 -o recordings/happy-path.rec.ndjson

Exits with 0 when it is stopped; the recording up to then is complete and readable. Where it is not whole (a full disk), with 2.`,
  async run(options, io) {
    const { runRecord } = await import('./record/run-record.ts')
    return runRecord(options, io)
  },
})
