CREATE TABLE doctor(doctor_id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, specialty VARCHAR(40) NOT NULL, room INTEGER NOT NULL);
CREATE TABLE patient(patient_id INTEGER PRIMARY KEY, name VARCHAR(80) NOT NULL, born_on DATE NOT NULL, city VARCHAR(40) NOT NULL);
CREATE TABLE visit(visit_id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patient(patient_id), doctor_id INTEGER NOT NULL REFERENCES doctor(doctor_id), visited_on DATE NOT NULL, fee DECIMAL(8,2) NOT NULL, diagnosis VARCHAR(60));
INSERT INTO doctor VALUES (1,'Elif Demir','cardiology',12),(2,'Hugo Brandt','dermatology',7),(3,'Mina Park','pediatrics',3);
INSERT INTO patient VALUES (1,'Jana Vlk','1984-03-09','Plzen'),(2,'Luis Prado','2015-10-21','Plzen'),(3,'Omar Aziz','1957-06-02','Tabor');
INSERT INTO visit VALUES (1,1,2,'2023-01-10',60.00,'eczema'),(2,2,3,'2023-01-12',45.00,'flu'),(3,3,1,'2023-02-01',120.00,'arrhythmia'),(4,3,1,'2023-03-03',80.00,NULL),(5,2,3,'2023-03-20',45.00,'cough');
