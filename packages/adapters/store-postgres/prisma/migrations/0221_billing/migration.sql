-- What organizations pay for, their orders, details for invoices, and documents that they agreed to.
CREATE TABLE subscriptions (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tier text NOT NULL,
  billing_interval text,
  customer_id text,
  subscription_id text,
  ends_at timestamptz(3),
  occurred_at timestamptz(3)
);
CREATE INDEX subscriptions_customer_id_idx ON subscriptions (customer_id);
CREATE INDEX subscriptions_ends_at_idx ON subscriptions (ends_at) WHERE ends_at IS NOT NULL;

CREATE TABLE billing_orders (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  tier text NOT NULL,
  billing_interval text,
  status text NOT NULL,
  url text,
  reference text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  completed_at timestamptz(3)
);
CREATE INDEX billing_orders_organization_id_idx ON billing_orders (organization_id);

CREATE TABLE billing_details (
  organization_id uuid PRIMARY KEY REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  details jsonb NOT NULL
);

CREATE TABLE agreement_acceptances (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  agreement text NOT NULL,
  version text NOT NULL,
  accepted_at timestamptz(3) NOT NULL DEFAULT now(),
  accepted_by text NOT NULL,
  PRIMARY KEY (organization_id, agreement, version)
);

CREATE TABLE billing_events (
  id text PRIMARY KEY,
  taken_at timestamptz(3) NOT NULL DEFAULT now()
);
