create table towns (id integer primary key, name text not null, region text, founded_on date);
create table plans (id integer primary key, name text not null);
create table categories (id integer primary key, name text not null);
create table glazes (id integer primary key, name text not null, category_id integer references categories (id));
create table workshops (
    id integer primary key, name text not null, mgr_nm text, town_id integer references towns (id),
    helper_count integer, status text
);
create table dues (
    id integer primary key, workshop_id integer references workshops (id), plan_id integer references plans (id)
);
create table potters (
    id integer primary key, pt_fname text not null, pt_lname text not null, town_id integer references towns (id),
    duty text, joined_on date, sign_in_on date
);
create table memberships (
    potter_id integer references potters (id), town_id integer references towns (id), primary key (potter_id, town_id)
);
create table pots (
    id integer primary key, name text not null, workshop_id integer references workshops (id),
    potter_id integer references potters (id), glaze_id integer references glazes (id), price decimal(10, 2),
    div_nm text, subdiv_nm text, tags text, designed_on date, created_on date, status text, is_insured boolean,
    pieces integer
);
create table firings (
    id integer primary key, pot_id integer references pots (id), potter_id integer references potters (id),
    duration integer, fired_year integer
);
create table leases (
    id integer primary key, potter_id integer references potters (id), workshop_id integer references workshops (id),
    from_date date, to_date date
);
create table crews (
    id integer primary key, potter_id integer references potters (id), workshop_id integer references workshops (id),
    from_date date, to_date date
);
create table calendar (day_key integer primary key, full_day date);
create table breakages (
    id integer primary key, pot_id integer references pots (id), day_key integer references calendar (day_key)
);
create table loans (
    id integer primary key, pot_id integer references pots (id), return_workshop_id integer references workshops (id),
    state text
);
create table repairs (
    id integer primary key, pot_id integer references pots (id), fixer_id integer references potters (id),
    checker_id integer references potters (id)
);
insert into repairs values (1, 1, 1, 2), (2, 2, 1, 2);
create table sales (
    id integer primary key, pot_id integer references pots (id), quantity integer, amount decimal(10, 2)
);
insert into sales values (1, 1, 2, 40.00), (2, 3, 1, 25.00);
insert into towns values (1, 'Arden', 'North Havel', '1801-02-03'), (2, 'Brock', 'North Havel', '1850-01-01'),
    (3, 'North', 'Lowland', '1870-01-01');
insert into plans values (1, 'Guild'), (2, 'Lone');
insert into categories values (1, 'Matte'), (2, 'Gloss');
insert into glazes values (1, 'Ash', 1), (2, 'Celadon', 2);
insert into workshops values (1, 'Kiln Yard', 'Ysa Thorn', 1, 4, 'open'), (2, 'Clay Loft', 'Odo Pell', 2, 9, 'shut');
insert into workshops values (3, 'O''Hara Cove', 'Ina Frey', 3, 2, 'open');
insert into dues values (1, 1, 1), (2, 2, 2);
insert into potters values
    (1, 'Runa', 'Holt', 1, 'owner', '2020-01-02', '2024-01-02'), (2, 'Sten', 'Vik', 2, 'helper', '2021-03-04', '2024-02-03');
insert into memberships values (1, 1), (2, 1);
insert into pots values
    (1, 'Tall jug', 1, 1, 1, 20.00, 'Ware', 'Jugs', '<blue>', '2022-01-02', '2023-01-05', 'sold', 1, 1),
    (2, 'Low bowl', 1, 2, 2, 15.00, 'Ware', 'Bowls', '<blue><old>', '2022-03-04', '2023-03-09', 'shelved', 0, 2),
    (3, 'Wide dish', 2, 2, 1, 25.00, 'Tile', 'Dishes', '<blue><wide>', '2022-05-06', '2023-06-01', 'sold', 0, 4);
insert into firings values (1, 1, 1, 620, 2022), (2, 2, 2, 7200, 2023), (3, 3, 2, 5400, 2023), (4, 1, 2, 900, 2021);
insert into leases values (1, 1, 1, '2020-01-01', '2022-01-01'), (2, 1, 2, '2022-01-01', '9999-01-01');
insert into crews values (1, 2, 1, '2020-01-01', '9999-01-01'), (2, 2, 2, '2018-01-01', '2020-01-01');
insert into calendar values (1, '2023-01-02'), (2, '2023-01-03');
insert into breakages values (1, 1, 1), (2, 3, 2);
insert into loans values (1, 1, 1, 'Returned'), (2, 2, 2, 'Out');
create table suppliers (id integer primary key, name text not null);
create table supplier_bills (
    id integer primary key, supplier_id integer references suppliers (id), pot_id integer references pots (id),
    billed_on date, line_total decimal(10, 2)
);
insert into suppliers values (1, 'Claypit'), (2, 'Ore Hill');
insert into supplier_bills values (1, 1, 1, '2024-01-05', 12.50), (2, 2, 2, '2024-01-09', 30.00);
insert into potters values (3, 'Ulf', 'Dahl', 1, 'fixer', '2022-01-01', '2024-03-01');
insert into pots values (4, 'Spouted jug', 2, 3, 2, 30.00, 'Ware', 'Jugs', '<blue>', '2022-06-01', '2023-07-01', 'sold', 0, 1);
create table keepers (
    id integer primary key, name text not null, workshop_id integer references workshops (id), role text
);
insert into keepers values (1, 'Pia', 1, 'yard_keeper'), (2, 'Tor', 2, 'night_guard');
create table kiln_stones_data (stone_code text primary key, origin text);
create table linings (
    id integer primary key, workshop_id integer references workshops (id), stone_code text references kiln_stones_data (stone_code)
);
insert into kiln_stones_data values ('GR', 'north'), ('SL', 'south');
insert into linings values (1, 1, 'GR');
create table guild_enlistments (
    id integer primary key, potter_id integer references potters (id), guild_code text, enlisted_on date
);
insert into guild_enlistments values (1, 1, 'SEA', '2020-05-01'), (2, 1, 'LAN', '2021-05-01');
create table carts (id integer primary key, cart text, taken_on date, origin text, destination text);
insert into carts values (1, 'x', '2020-01-01', 'Arden', 'Brock');
insert into potters values (4, 'Runa', 'Lund', 2, 'helper', '2022-01-02', '2024-04-01');
create table visits (id integer primary key, glaze text, glaze_id integer references glazes (id));
insert into visits values (1, 'A1', 1), (2, 'C9', 2);
create table camps (id integer primary key, name text not null);
create table barges (row_id integer primary key, barge_id integer not null unique, tons integer);
create table hauls (id integer primary key, barge_id integer references barges (barge_id));
create table diggers (
    row_id integer primary key, digger_id integer not null unique, name text not null, is_veteran text,
    digs_count integer, last_login_on date, camp_id integer references camps (id)
);
create table fair_lines (id integer primary key, sold_on date, extended_amount decimal(10, 2), sales_amount decimal(10, 2));
insert into fair_lines values (1, '2022-05-01', 30.00, 27.00), (2, '2022-06-01', 20.00, 20.00);
create table phases (id integer primary key, name text not null, is_closed boolean);
create table digs (
    id integer primary key, digger_id integer references diggers (digger_id), phase_id integer references phases (id),
    title text, home_buckets integer, away_buckets integer, measurtime timestamp, handovtime timestamp,
    soil text, soil_lab_grade text, handover_place text
);
insert into diggers values (1, 71, 'Ase', 't', 2, '2023-01-05', 1), (2, 72, 'Bo', 'f', 1, '2023-02-01', 1);
insert into camps values (1, 'Alder');
insert into barges values (1, 31, 12), (2, 32, 15);
insert into hauls values (1, 31), (2, 31), (3, 32);
insert into phases values (1, 'Trench', 0), (2, 'Backfill', 1);
insert into digs values (1, 71, 1, 'North bank', 4, 3, '2022-03-01 08:00:00', '2022-03-09 08:00:00', 'Loam', 'Loam', 'Gate'),
    (2, 71, 2, 'Ford', 2, 2, '2022-04-01 08:00:00', '2022-04-05 08:00:00', 'Loam', 'Loam', 'Gate'),
    (3, 72, 1, 'Mill race', 1, 5, '2023-04-01 08:00:00', '2023-04-07 08:00:00', 'Loam', 'Loam', 'Gate');
create table shelves (shelf integer primary key, shelf_level text);
create table stored_pieces (
    entry integer primary key, shelf integer references shelves (shelf), entry_name text, kit_stock_number text,
    weight integer
);
create table tools (id integer primary key, tool_type text);
create table remarks (id integer primary key, tool_type text, remark text);
insert into shelves values (1, 'Kit'), (2, 'Spare');
insert into stored_pieces values (1, 1, 'Wheel', 'K1', 20), (2, 2, 'Apron', 'K2', 1), (3, 2, 'Rib', 'K3', 1);
insert into tools values (1, 'Starter'), (2, 'Starter'), (3, 'Raku');
insert into remarks values (1, 'Raku', 'torn'), (2, 'Raku', 'kept');
