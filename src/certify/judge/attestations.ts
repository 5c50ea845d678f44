/** Sentences of the documents that bind a service and that no traffic can show: a person answers these questions. */
import { type Role, roles as everyRole } from '../../core/protocol/role.ts'
import type { AttestedClause } from '../../core/rules/checks/check.ts'

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
