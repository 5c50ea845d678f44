/**
 * Clauses that no check shows: sentences that bind a service and that no traffic can show, about which a person is asked, and
 * those that no check shows for some role.
 */
import { type Role, roles as everyRole } from '../../core/protocol/role.ts'
import type { AttestedClause, UncheckedClause } from '../../core/rules/checks/check.ts'

const applications = ['ordering-application', 'crm'] as const satisfies readonly Role[]
const orderRoles = ['ordering-application', 'software-service'] as const satisfies readonly Role[]

export const attestedClauses: readonly AttestedClause[] = [
  {
    clause: 'CUS-GEN-02',
    roles: ['crm'],
    question:
      'Is the product relationship software (CRM, marketing automation, loyalty engine or quality tool) that hosts or calls operations of Customer?',
  },
  {
    clause: 'CUS-GEN-03',
    roles: applications,
    question:
      'Are customer profiles, leads, orders in relationship context, reviews, relationship events and loyalty programs exchanged with partners by Customer alone, as far as the service has them?',
  },
  {
    clause: 'REV-GEN-01',
    roles: applications,
    question: 'Is each review that the service shares a rating that a customer has submitted?',
  },
  {
    clause: 'CUS-EVT-01',
    roles: applications,
    question:
      'Does the service emit events of Customer for what has happened only, and take those of others as facts and never as commands?',
  },
  {
    clause: 'MIG-CUS-02',
    roles: applications,
    question: 'Is the service prepared for changes of ingestReview, which is a draft?',
  },
  {
    clause: 'ORD-GEN-01',
    roles: orderRoles,
    question:
      'Are creation, confirmation, preparation, delivery or pickup, cancellation and closure of orders coordinated with partners by Orders alone?',
  },
  {
    clause: 'IND-GEN-01',
    roles: orderRoles,
    question:
      'Is consumption on the premises (table, tab, counter; by waiters or self-service) coordinated with partners by accounts, which group the orders of a session, register payments, issue fiscal documents and are closed?',
  },
  {
    clause: 'IND-GEN-06',
    roles: ['software-service'],
    question:
      'Are orders grouped, paid, locked and closed by their account, inside the service as well?',
  },
  {
    clause: 'MIG-ORD-04',
    roles: orderRoles,
    question:
      'Is the status of an order that GET shows the source of truth, whatever its events have said, inside the service as well?',
  },
  {
    clause: 'MIG-ORD-06',
    roles: orderRoles,
    question:
      'Are orders created by the event CREATED and a read alone, and by no other call between partners?',
  },
  {
    clause: 'LOG-GEN-01',
    roles: ['delivery-platform', 'software-service', 'ordering-application'],
    question:
      'Are availability, creation, tracking, progress, problems and cancellation of deliveries coordinated with partners by Logistics alone, and is the history of problems and cancellations kept for audits?',
  },
  {
    clause: 'MIG-VER-04',
    roles: everyRole,
    level: 'SHOULD',
    question:
      'Does the migration to V2 follow the recommended sequence: authentication, discovery, capabilities by the priority of the product, certification of each?',
  },
  {
    clause: 'MIG-MER-06',
    roles: orderRoles,
    question:
      'Is a snapshot of a merchant read for bootstrap and reconciliation only, and is each later change exchanged by itself?',
  },
  {
    clause: 'MIG-MNU-02',
    roles: orderRoles,
    question:
      'Is the catalog exchanged entity by entity (menu, category, itemOffer, optionGroup, option), and is a full snapshot available?',
  },
]

/** Clauses that no check shows for some role, by name and with the reason. */
export const uncheckedClauses: readonly UncheckedClause[] = [
  {
    clause: 'DIS-EVT-01',
    roles: ['crm'],
    why: 'its events are those of Customer, whose declaration (DIS-CUS-01) has no originator block; our own manifest has none either',
  },
  {
    clause: 'TRN-STA-03',
    roles: ['delivery-platform'],
    why: 'no operation that a Delivery Platform hosts is answered with 204',
  },
  {
    clause: 'MIG-ORD-02',
    roles: ['software-service'],
    why: 'the outcome of a request to cancel is given by the Ordering Application',
  },
  {
    clause: 'MIG-IND-02',
    roles: ['ordering-application'],
    why: 'the Ordering Application hosts no account, and calls what the documents have',
  },
  {
    clause: 'MIG-MER-03',
    roles: ['ordering-application', 'software-service'],
    why: 'no operation of the documents exchanges the services of a merchant',
  },
  {
    clause: 'MIG-MNU-03',
    roles: ['ordering-application', 'software-service'],
    why: 'no operation of the documents exchanges a catalog',
  },
  {
    clause: 'MIG-LOG-01',
    roles: ['ordering-application', 'software-service'],
    why: 'the Delivery Platform answers mutations and declares the tracking mode',
  },
  {
    clause: 'ORD-GEN-02',
    roles: ['software-service'],
    why: 'that events do not change is shown by their host; what a client makes of a repeated event is ORD-EVR-03',
  },
  {
    clause: 'ORD-GEN-06',
    roles: ['delivery-platform'],
    why: 'a Delivery Platform has no credentials for Orders here, and calls none of its operations',
  },
  {
    clause: 'ORD-CHN-01',
    roles: ['software-service'],
    why: 'our Ordering Application declares its channels for the whole session, and a client reads them once',
  },
  {
    clause: 'ORD-UND-04',
    roles: ['software-service'],
    why: 'it is about the answer of the host to a call out of turn',
  },
  {
    clause: 'ORD-UND-05',
    roles: ['software-service'],
    why: 'it is about the answer of the host to a call for a status that has passed',
  },
  {
    clause: 'IND-GEN-05',
    roles: ['software-service'],
    why: 'the status of an order is hosted by the Ordering Application, where the check of its role sees it',
  },
  {
    clause: 'IND-PRM-01',
    roles: ['ordering-application'],
    why: 'an order may be placed before the lock is known: the host decides, and its role has the check',
  },
  {
    clause: 'IND-OPS-02',
    roles: ['ordering-application'],
    why: 'the lookup by key is the primary one, and nothing makes a client read by the id',
  },
  {
    clause: 'IND-UND-04',
    roles: ['ordering-application'],
    why: 'it leaves open what a host answers, and asks nothing of the client',
  },
  {
    clause: 'CUS-GEN-06',
    roles: ['crm'],
    why: 'our Ordering Application declares Orders, and what it declares cannot change while a session runs',
  },
  {
    clause: 'CUS-TEN-06',
    roles: ['ordering-application'],
    why: 'an Ordering Application hosts no ingest, and whether it should take a 409 for success is not said',
  },
  {
    clause: 'CUS-BND-01',
    roles: ['software-service', 'delivery-platform'],
    why: 'these roles neither host nor call an operation of Customer',
  },
]
