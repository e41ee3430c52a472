create table staff (
    id integer primary key, first_name text not null, last_name text not null,
    hire_date date, birth_date date, reports_to integer references staff (id)
);
create table customers (
    id integer primary key, name text not null, country text, company text, active integer,
    agent_id integer references staff (id)
);
create table categories (id integer primary key, name text not null);
create table products (
    id integer primary key, name text not null, category_id integer references categories (id),
    price decimal(10, 2), duration_minutes integer, max_load_kg integer, mean_load_kg integer
);
create table orders (
    id integer primary key, customer_id integer references customers (id),
    ordered_on date, shipped_on date, status text, total decimal(10, 2)
);
create table lines (
    id integer primary key, order_id integer references orders (id), product_id integer references products (id),
    quantity integer, unit_price decimal(10, 2)
);
insert into staff values
    (1, 'Nina', 'Holt', '2001-04-01', '1960-02-03', null), (2, 'Marc', 'Ives', '2003-05-01', '1971-08-09', 1),
    (3, 'Tom', 'Reed', '2010-06-01', '1985-12-24', 1);
insert into customers values
    (1, 'Alma Berg', 'Canada', 'Berg Ltd', 1, 2), (2, 'Ugo Conti', 'Italy', null, 0, 3),
    (3, 'Wen Dai', 'Canada', null, 1, 2);
insert into categories values (1, 'Tents'), (2, 'Boots'), (3, 'Courses');
insert into products values
    (1, 'Ridge Tent', 1, 210.00, null, 5, 3), (2, 'Trail Boot', 2, 95.50, null, 2, 1),
    (3, 'Knot Course', 3, 40.00, 90, null, null);
insert into orders values
    (1, 1, '2023-03-05', '2023-03-08', 'shipped', 305.50), (2, 1, '2023-07-01', null, 'open', 40.00),
    (3, 2, '2024-03-10', '2024-03-11', 'shipped', 95.50), (214, 3, '2024-05-02', null, 'open', 210.00);
insert into lines values
    (1, 1, 1, 1, 210.00), (2, 1, 2, 1, 95.50), (3, 2, 3, 1, 40.00), (4, 3, 2, 1, 95.50), (5, 214, 1, 1, 210.00);
create table guides (id integer primary key, name text not null, trainer_id integer references guides (id));
create table tickets (
    id integer primary key, subject text not null, topic_name text, customer_id integer references customers (id),
    owner_id integer references staff (id), last_editor_id integer references staff (id),
    raised_on date, closed_on date, updated_on date, minutes_spent integer, fee_cents integer
);
insert into guides values (1, 'Ilka', null), (2, 'Oren', 1), (3, 'Sefa', 1);
insert into tickets values
    (1, 'Torn seam', 'repair', 1, 2, 3, '2024-01-02', '2024-01-09', '2024-02-01', 35, 1200),
    (2, 'Lost peg', 'repair', 2, 2, 3, '2024-01-05', null, '2024-02-02', 10, 300),
    (3, 'Wrong size', 'exchange', 3, 3, 2, '2024-02-11', '2024-02-12', '2024-03-01', 15, 0),
    (4, 'Bent pole', 'repair', 1, 3, 2, '2024-03-01', null, '2024-03-08', 60, 2500),
    (5, 'Late parcel', 'exchange', 2, 2, 2, '2024-03-04', '2024-03-30', '2024-04-01', 5, 0),
    (6, 'Split sole', 'repair', 3, 3, 3, '2024-04-09', '2024-04-20', '2024-04-21', 45, 1800),
    (7, 'Worn lace', 'repair', 1, 2, 3, '2024-05-01', null, '2024-05-02', 5, 100),
    (8, 'Wrong colour', 'exchange', 2, 3, 2, '2024-05-03', '2024-05-08', '2024-05-09', 10, 0),
    (9, 'Leak', 'repair', 3, 2, 2, '2024-06-01', null, '2024-06-03', 80, 4000),
    (10, 'Mould', 'repair', 1, 3, 3, '2024-06-11', '2024-06-30', '2024-07-01', 70, 3500);
create table rentals_ledger (
    id integer primary key, staff_id integer references staff (id), leased_on date, lease_end_date date,
    sequence integer, deposit decimal(10, 2), crowns integer
);
insert into rentals_ledger values (1, 1, '2024-01-02', null, 1, 20.00, 4), (2, 1, '2024-01-03', '2024-02-01', 2, 35.00, 5);
create table assignments (
    guide_id integer references guides (id), product_id integer references products (id), primary key (guide_id, product_id)
);
insert into assignments values (1, 3), (2, 3);
create table racks (id integer primary key, name text not null, pegs_available integer, peg_price decimal(10, 2));
insert into racks values (1, 'Long wall', 12, 3.00), (2, 'Door', 4, 2.50);
create table ports (id integer primary key, name text not null);
create table skippers (id integer primary key, name text not null, port_id integer references ports (id));
create table boats (
    id integer primary key, name text not null, port_id integer references ports (id), phase text, insure integer,
    mooring text, winter_berth_mooring text
);
create table shares_held (
    id integer primary key, skipper_id integer references skippers (id), boat_id integer references boats (id)
);
create table sailings (
    id integer primary key, embarkation_port integer references ports (id), landing_port integer references ports (id),
    boat_id integer references boats (id), port_id integer references ports (id), sailed_at datetime, pilot_id text,
    pilot_name text, fare decimal(10, 2), fare_outstanding decimal(10, 2), inspection_date date
);
insert into ports values (1, 'Arden'), (2, 'Brock');
insert into skippers values (1, 'Ysa', 1), (2, 'Odo', 2);
insert into boats values (1, 'Heron', 1, 'Sold Lost', 1, 'A4', 'W1'), (2, 'Teal', 2, 'Laid up', 0, 'B2', 'W7');
insert into shares_held values (1, 1, 2), (2, 2, 1);
insert into sailings values
    (1, 1, 2, 1, 1, '2011-8-5', 'P7', 'Runa', 20.00, 5.00, '2024-01-02'),
    (2, 2, 1, 2, 2, '2012-11-2', 'P9', 'Sten', 30.00, 0.00, '2024-02-03');
create table tides (
    id integer primary key, seen_on date, max_swell_cm integer, max_gust_kmh integer, berth_line_1 text, berth_line_2 text
);
insert into tides values (1, '2024-01-02', 80, 40, 'north', 'inner'), (2, '2024-01-03', 95, 88, 'south', null);
create table fjords (name text primary key, gauge_name text, depth_m integer);
create table soundings (id integer primary key, fjord text references fjords (name), made_on date);
create table moorage_rates (rate_code text primary key, amount decimal(10, 2));
create table award_headers (award_header_id integer primary key, amount_awarded decimal(10, 2));
create table clubs (id integer primary key, name text not null, created_on date);
create table rowers (id integer primary key, name text not null, club_id integer references clubs (id), created_on date);
create table lockers (customer_id integer primary key references customers (id), boat_id integer references boats (id));
create table persons (person_key integer primary key, FName text, LName text, took_up_on date);
create table badges_coaches (id integer primary key, sculler_id integer references persons (person_key), metal text);
create table badges_scullers (id integer primary key, sculler_id integer references persons (person_key), role text);
create table coaches (
    id integer primary key, sculler_id integer references persons (person_key), club_id integer references clubs (id),
    season integer
);
create table regattas (
    id integer primary key, sculler_id integer references persons (person_key), season integer, RW integer,
    tot_laps integer, heat_won text, entered_on date, due_date date, fee_due decimal(10, 2)
);
insert into persons values (1, 'Jory', 'Pask', '2015-02-03'), (2, 'Tamsin', 'Rowe', '2016-05-06');
insert into badges_scullers values (1, 1, 'Sculler'), (2, 2, 'Cox');
insert into coaches values (1, 2, 1, 2017);
insert into clubs values (1, 'Weir', '1990-01-01');
insert into regattas values (1, 1, 2019, 3, 40, 'Y', '2024-05-02', '2024-06-01', 12.50);
insert into regattas values (2, 2, 2019, 1, 38, 'N', '2024-05-03', '2024-06-01', 12.50);
insert into persons values (3, 'Drew', 'Lane', '2017-08-09');
insert into boats values (3, 'Arden Belle', 2, 'Afloat', 0, 'C1', 'W9');
create table guild (
    id integer primary key, sculler_id integer references persons (person_key), season integer, admitted text
);
insert into guild values (1, 1, 2019, 'Y'), (2, 2, 2019, 'N');
insert into boats values (4, 'Total', 1, 'Afloat', 1, 'D1', 'W3');
create table polls (id integer primary key, club_id integer references clubs (id), percent_pleased integer, turnout_percent integer);
