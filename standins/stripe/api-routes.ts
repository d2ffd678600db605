import { createSession, expireOpenSession, listSessions, retrieveSession } from './checkout-sessions.ts'
import {
  createCustomer,
  deleteCustomer,
  listCustomers,
  retrieveCustomer,
  searchCustomers,
  updateCustomer,
} from './customers.ts'
import type { Endpoint } from './endpoint.ts'
import { listEvents, retrieveEvent } from './events.ts'
import { listInvoices, payInvoice, retrieveInvoice } from './invoices.ts'
import { listInvoicePayments, retrieveInvoicePayment, retrievePaymentIntent } from './payments.ts'
import {
  attachPaymentMethod,
  detachPaymentMethod,
  listCustomersPaymentMethods,
  listPaymentMethods,
  retrievePaymentMethod,
} from './payment-methods.ts'
import { createPortalSession } from './portal-sessions.ts'
import { createPrice, listPrices, retrievePrice } from './prices.ts'
import { createProduct, listProducts, retrieveProduct, updateProduct } from './products.ts'
import { createRefund, listRefunds, retrieveRefund, updateRefund } from './refunds.ts'
import { listSessionLineItems } from './session-line-items.ts'
import {
  cancelSubscription,
  createSubscription,
  listSubscriptions,
  resumePaused,
  retrieveSubscription,
  updateSubscription,
} from './subscriptions.ts'

interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  endpoint: Endpoint
}

export const API_ROUTES: readonly Route[] = [
  get('/checkout/sessions', listSessions),
  get('/checkout/sessions/:id', retrieveSession),
  get('/checkout/sessions/:id/line_items', listSessionLineItems),
  post('/checkout/sessions', createSession),
  post('/checkout/sessions/:id/expire', expireOpenSession),
  get('/customers', listCustomers),
  get('/customers/search', searchCustomers),
  get('/customers/:id', retrieveCustomer),
  get('/customers/:id/payment_methods', listCustomersPaymentMethods),
  post('/customers', createCustomer),
  post('/customers/:id', updateCustomer),
  remove('/customers/:id', deleteCustomer),
  get('/events', listEvents),
  get('/events/:id', retrieveEvent),
  get('/invoices', listInvoices),
  get('/invoices/:id', retrieveInvoice),
  post('/invoices/:id/pay', payInvoice),
  get('/invoice_payments', listInvoicePayments),
  get('/invoice_payments/:id', retrieveInvoicePayment),
  get('/payment_intents/:id', retrievePaymentIntent),
  get('/payment_methods', listPaymentMethods),
  get('/payment_methods/:id', retrievePaymentMethod),
  post('/payment_methods/:id/attach', attachPaymentMethod),
  post('/payment_methods/:id/detach', detachPaymentMethod),
  post('/billing_portal/sessions', createPortalSession),
  get('/prices', listPrices),
  get('/prices/:id', retrievePrice),
  post('/prices', createPrice),
  get('/products', listProducts),
  get('/products/:id', retrieveProduct),
  post('/products', createProduct),
  post('/products/:id', updateProduct),
  get('/refunds', listRefunds),
  get('/refunds/:id', retrieveRefund),
  post('/refunds', createRefund),
  post('/refunds/:id', updateRefund),
  get('/subscriptions', listSubscriptions),
  get('/subscriptions/:id', retrieveSubscription),
  post('/subscriptions', createSubscription),
  post('/subscriptions/:id', updateSubscription),
  post('/subscriptions/:id/resume', resumePaused),
  remove('/subscriptions/:id', cancelSubscription),
]

function get(path: string, endpoint: Endpoint): Route {
  return { method: 'GET', path, endpoint }
}

function post(path: string, endpoint: Endpoint): Route {
  return { method: 'POST', path, endpoint }
}

function remove(path: string, endpoint: Endpoint): Route {
  return { method: 'DELETE', path, endpoint }
}
